"""Checks rendered manifests: their schemas, and what schemas cannot say. Prints each fault; ends with 1 if there is one.

Usage: manifests.py ROOT NAME=FILE…, FILE being what `kubectl kustomize` printed.
"""

import json
import os
import re
import sys
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

# Kinds without a schema in Kubernetes itself. Everything else that has none is a fault: a misspelt kind must not pass.
CUSTOM_KINDS = {
    ("gateway.networking.k8s.io/v1", "HTTPRoute"): "STRIDE_HTTPROUTE_SCHEMA",
    ("postgresql.cnpg.io/v1", "Cluster"): None,
}
# A stopping service ends within this many seconds (test S9), and kubelet and node have some to spare.
DRAIN_SECONDS, SPARE_SECONDS = 20, 10

faults = []


def fault(where, text):
    faults.append(f"{where}: {text}")


def named(document):
    return f"{document.get('kind')}/{document.get('metadata', {}).get('name')}"


def check_schema(where, document):
    key = (document.get("apiVersion"), document.get("kind"))
    if key in CUSTOM_KINDS:
        path = os.environ.get(CUSTOM_KINDS[key] or "")
        if path:
            check_custom(where, document, json.loads(Path(path).read_text()))
        return
    try:
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
    except kubernetes_validate.ValidationError as error:
        fault(where, f"{named(document)}: {'.'.join(map(str, error.path))}: {error.message}")
    except kubernetes_validate.SchemaNotFoundError:
        fault(where, f"{named(document)}: no schema for {key[0]} {key[1]}")


def check_custom(where, document, schema):
    validator = jsonschema.Draft202012Validator(closed(schema))
    for error in validator.iter_errors(document):
        fault(where, f"{named(document)}: {'.'.join(map(str, error.path))}: {error.message}")


def closed(schema):
    """The schema with unknown fields refused, as an API server would drop them."""
    if isinstance(schema, dict):
        result = {key: closed(value) for key, value in schema.items()}
        opaque = schema.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in schema
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" and not opaque:
            result["additionalProperties"] = False
            if {"apiVersion", "kind", "metadata"} <= schema["properties"].keys():
                result["properties"]["metadata"] = {"type": "object"}
        return result
    return [closed(item) for item in schema] if isinstance(schema, list) else schema


def pod_of(document):
    if document["kind"] in ("Deployment", "StatefulSet", "Job"):
        return document["spec"]["template"]
    return None


def check_pod(where, document, known):
    """What "restricted" asks, and that everything which is referred to is there."""
    pod = pod_of(document)["spec"]
    where = f"{where}: {named(document)}"
    context = pod.get("securityContext", {})
    if context.get("runAsNonRoot") is not True or context.get("runAsUser", 0) < 10000:
        fault(where, "the user may be root, or is not a high number")
    if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
        fault(where, "calls of the kernel are not filtered")
    if pod.get("automountServiceAccountToken") is not False:
        fault(where, "a token of the service account is mounted")
    if ("ServiceAccount", pod["serviceAccountName"]) not in known:
        fault(where, f"there is no service account {pod['serviceAccountName']}")
    volumes = {volume["name"] for volume in pod.get("volumes", [])}
    for container in pod["containers"]:
        context = container.get("securityContext", {})
        if context.get("readOnlyRootFilesystem") is not True or context.get("capabilities") != {"drop": ["ALL"]}:
            fault(where, "the root can be written, or a capability is kept")
        if context.get("allowPrivilegeEscalation") is not False:
            fault(where, "privileges can grow")
        for mount in container.get("volumeMounts", []):
            if mount["name"] not in volumes:
                fault(where, f"there is no volume {mount['name']}")
        for source in container.get("envFrom", []):
            if ("ConfigMap", source["configMapRef"]["name"]) not in known:
                fault(where, f"there is no ConfigMap {source['configMapRef']['name']}")
        for variable in container.get("env", []):
            if "valueFrom" in variable or re.search(r"(_URL|PASSWORD|SECRET|JWKS)$", variable["name"]):
                fault(where, f"{variable['name']}: a secret comes by file")


def check_stop(where, document):
    """The arithmetic of k8s/base/service.yaml."""
    pod = pod_of(document)["spec"]
    asleep = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    drain = DRAIN_SECONDS if document["metadata"]["labels"]["app.kubernetes.io/component"] == "service" else 10
    if pod["terminationGracePeriodSeconds"] < asleep + drain + SPARE_SECONDS:
        fault(where, f"{named(document)}: terminationGracePeriodSeconds is below {asleep} + {drain} + {SPARE_SECONDS}")
    rolling = document["spec"]["strategy"]["rollingUpdate"]
    if rolling["maxUnavailable"] != 0 or document["spec"]["minReadySeconds"] < 5:
        fault(where, f"{named(document)}: an update takes instances away before new ones are known")


def check_images(where, documents, root):
    targets = set(re.findall(r" AS (\w+)$", (root / "docker/Dockerfile").read_text(), re.M))
    for document in documents:
        for container in pod_of(document)["spec"]["containers"] if pod_of(document) else []:
            found = re.fullmatch(r"[^@]*/stride/(\w+):([\w.-]+)(@sha256:\w+)?", container["image"])
            if found and (found[1] not in targets or found[2] == "latest"):
                fault(where, f"{named(document)}: image {container['image']}")


def check_metrics(where, documents, root):
    """Custom metrics are in the sources, or made of such by the adapter's rules in docs/deploy.md."""
    sources = "".join(path.read_text() for top in ("Shared", "Services") for path in (root / top).rglob("*.swift"))
    rules = (root / "docs/deploy.md").read_text()
    for document in documents:
        for metric in document["spec"]["metrics"] if document["kind"] == "HorizontalPodAutoscaler" else []:
            name = metric.get("pods", {}).get("metric", {}).get("name")
            if name and f'"{name}"' not in sources and f"as: {name}" not in rules:
                fault(where, f"{named(document)}: nobody has the metric {name}")


# --- The same service answers for a path behind nginx and behind the Gateway API.


def nginx_routes(root):
    text = (root / "docker/gateway.conf.template").read_text()
    table = re.search(r'map "\$request_method \$uri" \$stride_service \{(.*?)\}', text, re.S)[1]
    rules = re.findall(r'^\s*"~([^"]+)"\s+(\w+);', table, re.M)
    standard = re.search(r"^\s*default\s+(\w+);", table, re.M)[1]

    def service(method, path):
        return next((name for rule, name in rules if re.search(rule, f"{method} {path}")), standard)

    return service


def gateway_routes(route):
    matches = [
        (match, rule["backendRefs"][0]["name"]) for rule in route["spec"]["rules"] for match in rule["matches"]
    ]

    def rank(match, method, path):
        kind, value = match["path"]["type"], match["path"]["value"]
        if match.get("method", method) != method:
            return None
        if kind == "Exact":
            return (2, 0, "method" in match) if path == value else None
        if path == value or path.startswith(value.rstrip("/") + "/"):
            return (1, len(value), "method" in match)
        return None

    def service(method, path):
        ranked = [(rank(match, method, path), name) for match, name in matches]
        return max((item for item in ranked if item[0]), key=lambda item: item[0], default=(None, None))[1]

    return service


def check_routes(where, documents, root):
    nginx = nginx_routes(root)
    paths = yaml.safe_load((root / "docs/openapi.yaml").read_text())["paths"]
    calls = [re.sub(r"\{\w+\}", "7", path) for path in paths]
    calls += ["/v1", "/v1/me", "/v1/none", "/v1/plan/x", "/v1/plan_template", "/v1/workoutsx", "/v1/athletesx"]
    for route in (document for document in documents if document["kind"] == "HTTPRoute"):
        gateway = gateway_routes(route)
        for path in calls:
            for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
                if gateway(method, path) != nginx(method, path):
                    fault(where, f"{method} {path}: nginx says {nginx(method, path)}, HTTPRoute {gateway(method, path)}")
        if gateway("GET", "/") != "web":
            fault(where, "the web app is not at /")


# --- Compose


def check_compose(root):
    where, compose = "compose", yaml.safe_load((root / "docker/compose.yaml").read_text())
    targets = set(re.findall(r" AS (\w+)$", (root / "docker/Dockerfile").read_text(), re.M))
    for name, service in compose["services"].items():
        for secret in service.get("secrets", []):
            if secret not in compose["secrets"]:
                fault(where, f"{name}: there is no secret {secret}")
        for key, value in service.get("environment", {}).items():
            if re.search(r"PASSWORD|SECRET|POSTGRES_URL|JWKS", key) and not str(value).startswith("/run/secrets/"):
                fault(where, f"{name}: {key}: a secret comes by file")
        for network in service["networks"]:
            if network not in compose["networks"]:
                fault(where, f"{name}: there is no network {network}")
        if "no-new-privileges:true" not in service["security_opt"]:
            fault(where, f"{name}: privileges can grow")
        if "build" not in service:
            continue
        if service["build"]["target"] not in targets or f"/{service['build']['target']}:" not in service["image"]:
            fault(where, f"{name}: no such image")
        if (service["user"], service["read_only"], service["cap_drop"]) != ("65532:65532", True, ["ALL"]):
            fault(where, f"{name}: more than a number, a root that cannot be written and no capability")


def main():
    root = Path(sys.argv[1])
    for argument in sys.argv[2:]:
        where, file = argument.split("=", 1)
        documents = [document for document in yaml.safe_load_all(Path(file).read_text()) if document]
        known = {(document["kind"], document["metadata"]["name"]) for document in documents}
        for document in documents:
            check_schema(where, document)
            if pod_of(document):
                check_pod(where, document, known)
            if document["kind"] == "Deployment":
                check_stop(where, document)
        check_images(where, documents, root)
        check_metrics(where, documents, root)
        check_routes(where, documents, root)
    check_compose(root)
    for line in faults:
        print(line)
    return 1 if faults else 0


sys.exit(main())
