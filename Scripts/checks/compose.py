"""Starts docker/compose.yaml with podman-compose and looks at what runs: compose.py FOLDER PODMAN_COMPOSE.

FOLDER holds the file and its secrets. Runs as root in namespaces of its own for the network, mounts and processes, with the images at hand.
"""

import http.client
import json
import os
import shutil
import ssl
import subprocess
import sys
import time
import uuid
from pathlib import Path
from urllib.parse import quote

import yaml

import calls

folder, program = Path(sys.argv[1]), sys.argv[2]
# Settings of the shell would be those of the composition.
for setting in [name for name in os.environ if name.startswith("STRIDE_")]:
    del os.environ[setting]
composition = yaml.safe_load((folder / "compose.yaml").read_text())
# Of this one there is no image without a registry.
ABSENT = {"grafana"}
names = [name for name in composition["services"] if name not in ABSENT]


def run(*words, check=True, timeout=300, verdict=False):
    done = subprocess.run(words, capture_output=True, text=True, timeout=timeout, cwd=folder)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(words)}: {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode if verdict else done.stdout.strip()


def compose(*words, **options):
    return run(program, "-f", "compose.yaml", *words, **options)


def podman(*words, **options):
    return run("podman", *words, **options)


def until(what, holds, seconds=120):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            states = podman("ps", "-a", "--format", "{{.Names}} {{.Status}}", check=False)
            raise AssertionError(f"not within {seconds} s: {what}\n{states}")
        time.sleep(0.2)


def call(method, path, body=None, port=8080, bearer=None):
    """A status of 0 where nobody answers."""
    try:
        return calls.call(method, path, body, port=port, bearer=bearer)
    except OSError:
        return 0, None


def dependencies(name):
    wanted = composition["services"][name].get("depends_on", {})
    if isinstance(wanted, list):
        wanted = dict.fromkeys(wanted, {"condition": "service_started"})
    return {other: words["condition"] for other, words in wanted.items()}


def state(name):
    return json.loads(podman("inspect", f"stride_{name}_1"))[0]["State"]


def holds(name, condition):
    if condition == "service_healthy":
        return not run("podman", "healthcheck", "run", f"stride_{name}_1", check=False, verdict=True)
    if condition == "service_completed_successfully":
        return state(name)["Status"] == "exited" and state(name)["ExitCode"] == 0
    return state(name)["Status"] == "running"


def started():
    """In the order of `depends_on`, whose conditions the podman of Debian 12 knows only in part, so they are awaited here."""
    waiting = list(names)
    while waiting:
        done = set(names) - set(waiting)
        ready = [name for name in waiting if done.issuperset(dependencies(name))]
        assert ready, f"depends_on goes in a circle: {waiting}"
        for name in ready:
            for other, condition in dependencies(name).items():
                until(f"{other}: {condition}, for {name}", lambda: holds(other, condition))
        compose("up", "-d", "--no-build", "--no-deps", *ready, timeout=600)
        waiting = [name for name in waiting if name not in ready]
    until("the gateway passes calls on", lambda: call("GET", "/v1/athletes")[0] == 200)
    for name in names:
        assert name == "migrate" or state(name)["Status"] == "running", (name, state(name))
    return f"{len(names) - 1} services run, the migration ended with 0"


def healthy():
    for name, words in composition["services"].items():
        if "healthcheck" in words:
            until(f"{name} is healthy", lambda: holds(name, "service_healthy"))
    return "the health check of each says yes"


def token(*words):
    """A token by the command that docs/deploy.md gives."""
    secret = f"{folder}/secrets/token-secret:/run/secrets/token-secret:ro"
    options = ["--rm", "--no-deps", "-v", secret, "-e", "STRIDE_TOKEN_SECRET_FILE=/run/secrets/token-secret"]
    options += ["-e", "STRIDE_TOKEN_ISSUER=stride-dev", "-e", "STRIDE_TOKEN_AUDIENCE=stride"]
    return compose("run", *options, "migrate", "token", *words).split()[-1]


def walk(bearer):
    end = int(time.time() * 1000)
    workout = {"requestId": str(uuid.uuid4()), "start_time": end - 600_000, "end_time": end, "steps": 1020, "distance": 730.5}
    return call("POST", "/v1/workouts", json.dumps(workout), bearer=bearer)


def round_trip():
    ada, coach = token("--sub", "ada"), token("--sub", "coach", "--scope", "leaderboard:write")
    status, answer = walk(ada)
    assert status == 201, (status, answer)
    status, summary = call("GET", "/v1/progressSummary", bearer=ada)
    assert status == 200 and sum(summary["currentWeekSteps"]) == 1020, (status, summary)
    status, athlete = call("PUT", "/v1/athletes/51", json.dumps({"name": "Ada", "score": 232}), bearer=coach)
    assert status in (200, 201), (status, athlete)
    status, board = call("GET", "/v1/athletes")
    assert status == 200 and [(item["id"], item["rank"]) for item in board["athletes"]] == [(51, 1)], (status, board)
    status, plan = call("PUT", "/v1/weekly_goal", json.dumps({"steps": 35000}), bearer=ada)
    assert status == 200, (status, plan)
    for path in ("/", "/docs/api"):
        status, page = call("GET", path)
        assert status == 200 and b"<html" in page, (path, status, page)
    return "a workout in, its summary out, a goal, a score on the board, the app and the page about the API"


def terminated():
    """SIGTERM, as `stop` sends it: ingest drains and ends by itself, and what calls meanwhile is asked to come again."""
    ada, begin = token("--sub", "ada"), time.monotonic()
    compose("stop", "ingest")
    took, end = time.monotonic() - begin, state("ingest")
    assert end["Status"] == "exited" and end["ExitCode"] == 0 and took < 24, (took, end)
    status, answer = walk(ada)
    assert status == 503 and answer["code"] == "TRY_AGAIN_LATER", (status, answer)
    compose("start", "ingest")
    until("ingest is sent to again", lambda: walk(ada)[0] == 201)
    return f"ingest ends by itself on SIGTERM, exit 0 after {took:.1f} s, and takes workouts again when it is back"


def watched():
    """Prometheus sees everybody by the names of compose.yaml."""
    def up():
        status, answer = call("GET", f"/api/v1/query?query={quote('up')}", port=9090)
        found = answer["data"]["result"] if status == 200 else []
        return {item["metric"]["job"] for item in found if item["value"][1] == "1"}

    wanted = {"ingest", "plan", "progress", "leaderboard", "postgres", "redis", "node"}
    until(f"Prometheus sees {wanted}", lambda: up() >= wanted)
    return "Prometheus has a figure of every service and every exporter"


def separated():
    """Stores have no way out, and nobody but the services and the exporters has a way to them."""
    for name in ("postgres", "redis"):
        networks = json.loads(podman("inspect", f"stride_{name}_1"))[0]["NetworkSettings"]["Networks"]
        assert list(networks) == ["stride_stores"], networks
    assert json.loads(podman("network", "inspect", "stride_stores"))[0]["internal"] is True
    networks = json.loads(podman("inspect", "stride_gateway_1"))[0]["NetworkSettings"]["Networks"]
    assert "stride_stores" not in networks, networks
    return "the gateway has no way to the stores, and the stores none to the world"


def encrypted():
    """compose.tls.yaml: the same gateway over TLS, and the port for plain HTTP that leads there."""
    tls = folder / "tls"
    tls.mkdir()
    run("openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{tls}/privkey.pem",
        "-out", f"{tls}/fullchain.pem")
    for path in (tls, *tls.iterdir()):
        shutil.chown(path, group=65532)
        path.chmod(0o750 if path.is_dir() else 0o640)
    os.environ |= {"STRIDE_TLS_FOLDER": str(tls)}
    compose("-f", "compose.tls.yaml", "up", "-d", "--no-build", "--no-deps", "gateway")
    trust = ssl.create_default_context(cafile=f"{tls}/fullchain.pem")

    def status():
        connection = http.client.HTTPSConnection("localhost", 8080, timeout=30, context=trust)
        try:
            connection.request("GET", "/v1/athletes")
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    until("the gateway answers over TLS", lambda: status() == 200)
    assert call("GET", "/v1/athletes", port=8079)[0] == 308
    assert holds("gateway", "service_healthy")
    return "with compose.tls.yaml the gateway speaks TLS, and plain HTTP is led there"


def ended():
    compose("down", "-t", "30", timeout=300)
    left = podman("ps", "-a", "--format", "{{.Names}}")
    assert "stride_" not in left, left
    return "down leaves no container"


run("ip", "link", "set", "lo", "up")
# Which addresses are given away podman keeps for the whole machine.
Path("/run/containers").mkdir(exist_ok=True)
run("mount", "-t", "tmpfs", "tmpfs", "/run/containers")
try:
    for look in (started, healthy, round_trip, watched, separated, terminated, encrypted, ended):
        print(f"  {look()}", flush=True)
except AssertionError as fault:
    print(f"compose: {fault}", file=sys.stderr)
    sys.exit(1)
