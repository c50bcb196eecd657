"""The pods of a rendered overlay, for those who run them without a cluster.

  pods.py play RENDERED FOLDER [NAME=VALUE…]   prints what `podman play kube` takes: the Deployments and their ConfigMap
  pods.py flags RENDERED NAME FOLDER [NAME=VALUE…]
                                               prints a line for each word that `podman run` takes for one container, its image last
  pods.py wrap RENDERED NAME ROOT CGROUP ENVIRONMENT [NAME=VALUE…]
                                               prints a script that runs the same container in a mount namespace of the machine;
                                               ROOT holds the files of its image, ENVIRONMENT is what that image sets, as JSON

FOLDER/SECRET/KEY are the files of the Secrets. What a single machine has to replace is replaced here and nowhere else: Secrets and
empty folders lie in FOLDER, pods share the machine's network, and NAME=VALUE says which ports are free on it.
"""

import json
import os
import sys
from pathlib import Path

import yaml

GROUP = 65532


def read(rendered):
    return [document for document in yaml.safe_load_all(Path(rendered).read_text()) if document]


def find(documents, name):
    return next(
        document
        for document in documents
        if document["kind"] in ("Deployment", "Job") and document["metadata"]["name"] == name
    )


def own_folder(path):
    """As a kubelet does with an empty folder and fsGroup."""
    path.mkdir(parents=True, exist_ok=True)
    os.chown(path, 0, GROUP)
    path.chmod(0o770)
    return str(path)


def volume_path(volume, folder, pod):
    if "secret" in volume:
        return str(Path(folder) / volume["secret"]["secretName"])
    return own_folder(Path(folder) / f"{pod}-{volume['name']}")


def environment(documents, container, changes):
    """Name to value: the ConfigMap, then what the container says, then what the machine says."""
    values = {}
    for source in container.get("envFrom", []):
        maps = (document for document in documents if document["kind"] == "ConfigMap")
        values |= next(item["data"] for item in maps if item["metadata"]["name"] == source["configMapRef"]["name"])
    values |= {variable["name"]: variable["value"] for variable in container.get("env", [])}
    return values | changes


def play(documents, folder, changes):
    kept = [document for document in documents if document["kind"] in ("ConfigMap", "Deployment")]
    for document in kept:
        document["metadata"].pop("namespace")
        if document["kind"] == "ConfigMap":
            # Here podman lets a ConfigMap go before what a container says itself, other than Kubernetes.
            document["data"] |= {key: value for key, value in changes.items() if key in document["data"]}
            continue
        name, pod = document["metadata"]["name"], document["spec"]["template"]["spec"]
        document["spec"]["replicas"] = 1
        pod["hostNetwork"] = True
        pod["volumes"] = [
            {"name": volume["name"], "hostPath": {"path": volume_path(volume, folder, name), "type": "Directory"}}
            for volume in pod["volumes"]
        ]
        for container in pod["containers"]:
            own = {variable["name"]: variable for variable in container.get("env", [])}
            own |= {key: {"name": key, "value": value} for key, value in changes.items()}
            container["env"] = list(own.values())
            # Ports are the machine's own; preStop is not known to podman, probes it could only run with a timer of systemd.
            for field in ("ports", "lifecycle", "startupProbe", "readinessProbe", "livenessProbe"):
                container.pop(field, None)
    return yaml.safe_dump_all(kept, sort_keys=False)


def flags(documents, name, folder, changes):
    pod = find(documents, name)["spec"]["template"]["spec"]
    container, context = pod["containers"][0], pod["securityContext"]
    words = ["--network=host", f"--user={context['runAsUser']}:{context['runAsGroup']}"]
    if container["securityContext"]["readOnlyRootFilesystem"]:
        words += ["--read-only", "--read-only-tmpfs=false"]
    words += [f"--cap-drop={item}" for item in container["securityContext"]["capabilities"]["drop"]]
    if not container["securityContext"]["allowPrivilegeEscalation"]:
        words.append("--security-opt=no-new-privileges")
    limits = container["resources"]["limits"]
    memory = str(bytes_of(limits["memory"]))
    words += [f"--memory={memory}", f"--memory-swap={memory}", f"--cpus={limits['cpu']}"]
    words += [f"--env={key}={value}" for key, value in environment(documents, container, changes).items()]
    paths = {volume["name"]: volume_path(volume, folder, name) for volume in pod.get("volumes", [])}
    for mount in container.get("volumeMounts", []):
        words.append(f"--volume={paths[mount['name']]}:{mount['mountPath']}:{'ro' if mount.get('readOnly') else 'rw'}")
    return "\n".join([*words, container["image"], *container.get("args", [])])


def bytes_of(text):
    return int(text.removesuffix("Mi")) << 20


def wrap(documents, name, root, cgroup, image, changes):
    pod = find(documents, name)["spec"]["template"]["spec"]
    container, context = pod["containers"][0], pod["securityContext"]
    limits = container["resources"]["limits"]
    # Secrets of a pod are not those of a test.
    own = dict(word.split("=", 1) for word in json.loads(image) if word.startswith("STRIDE_"))
    own |= {key: value for key, value in environment(documents, container, changes).items() if not key.endswith("_FILE")}
    exports = "\n".join(f'export {key}="${{{key}-{value}}}"' for key, value in own.items())
    memory, quota = bytes_of(limits["memory"]), int(limits["cpu"]) * 100_000
    program = container["image"].rsplit("/", 1)[1].split(":")[0]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert not container["securityContext"]["allowPrivilegeEscalation"]
    return f"""#!/bin/bash
# {program} as its pod specification says, in the root of its image; the process keeps its id, so signals reach it. What the caller's
# environment says goes before what the pod's says. Files that it names are copied, as a Secret is.
[[ ${{1:-}} == inside ]] || exec unshare --mount --propagation private /bin/bash "$0" inside "$@"
shift
set -e
{exports}
root={root}
mount --bind "$root" "$root"
mount -t tmpfs -o mode=0755,size=1m tmpfs "$root/run"
for name in ${{!STRIDE_@}}; do
    [[ $name == *_FILE ]] || continue
    install -g {context['fsGroup']} -m 0440 -- "${{!name}}" "$root/run/$name"
    export "$name=/run/$name"
done
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -o remount,ro "$root/run"
mount -o remount,bind,ro "$root"
limit() {{ echo "$1" >"$group/$2"; }}
if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
    group=/sys/fs/cgroup/{cgroup}
    mkdir -p "$group/$$"
    for group in /sys/fs/cgroup "$group"; do limit "+memory +cpu" cgroup.subtree_control; done
    group=$group/$$
    limit {memory} memory.max
    limit "{quota} 100000" cpu.max
    limit $$ cgroup.procs
else
    for group in /sys/fs/cgroup/{{memory,cpu}}/{cgroup}/$$; do
        mkdir -p "$group"
        case $group in
            */memory/*) limit {memory} memory.limit_in_bytes ;;
            */cpu/*) limit {quota} cpu.cfs_quota_us ;;
        esac
        limit $$ cgroup.procs
    done
fi
exec /usr/sbin/chroot "$root" /usr/bin/setpriv --reuid={context['runAsUser']} --regid={context['runAsGroup']} --clear-groups \\
    --no-new-privs --bounding-set=-all --inh-caps=-all /usr/local/bin/{program} "$@"
"""


def main():
    verb, documents, rest = sys.argv[1], read(sys.argv[2]), sys.argv[3:]
    count = {"play": 1, "flags": 2, "wrap": 4}[verb]
    changes = dict(word.split("=", 1) for word in rest[count:])
    print({"play": play, "flags": flags, "wrap": wrap}[verb](documents, *rest[:count], changes))


main()
