"""Looks at the running pods and at single containers: containers.py FOLDER RENDERED IMAGE_PREFIX LIMIT_MB.

The environment names ports (STRIDE_…_PORT), the stores (STRIDE_TEST_…) and a token of the user `walker` (STRIDE_TEST_TOKEN).
Prints a line for each thing that holds and ends with 1 at the first that does not.
"""

import calendar
import hashlib
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

folder, rendered, prefix, limit = sys.argv[1:5]
tools = Path(__file__).parent
environment = os.environ
token = environment["STRIDE_TEST_TOKEN"]
gateway = int(environment["STRIDE_GATEWAY_PORT"])
services = ["ingest", "plan", "progress", "leaderboard"]


def run(*words, check=True, timeout=120, text=None):
    # Where memory ends, the container's monitor leaves a file `oom` in the folder in which podman was called.
    done = subprocess.run(words, capture_output=True, text=True, timeout=timeout, input=text, cwd=folder)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(words)}: {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout.strip() if check else done


def podman(*words, **options):
    return run("podman", *words, **options)


def inspect(name):
    return json.loads(podman("inspect", name))[0]


def until(what, holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.1)


def call(method, path, body=None, port=gateway, bearer=token, timeout=30):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        fields = {"Content-Type": "application/json"} if body is not None else {}
        if bearer:
            fields["Authorization"] = f"Bearer {bearer}"
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text[:1] in (b"{", b"[") else text
    finally:
        connection.close()


def status(path, port):
    try:
        return call("GET", path, port=port, bearer=None, timeout=5)[0]
    except OSError:
        return 0


def database(query):
    return run("psql", "-XAtq", environment["STRIDE_TEST_POSTGRES_URL"], text=query)


def walk(steps=1020, days=0, **more):
    end = int(time.time() * 1000) - days * 86_400_000
    return {
        "requestId": str(uuid.uuid4()), "start_time": end - 600_000, "end_time": end, "steps": steps,
        "distance": 730.5, "time_zone": "Europe/Berlin", **more,
    }


def container_words(name, **changes):
    """What `podman run` takes for one more container of a pod, on ports of its own."""
    words = [f"{key}={value}" for key, value in changes.items()]
    return run(sys.executable, str(tools / "pods.py"), "flags", rendered, name, folder, *words).split("\n")


def host_settings():
    budgets = {key: value for key, value in environment.items() if key.startswith("STRIDE_USER_")}
    return budgets | {"PGSSLMODE": "disable", "STRIDE_BIND": "127.0.0.1"}


# --- The images


def sizes():
    for name in services:
        size = int(podman("image", "inspect", "--format", "{{.Size}}", f"{prefix}/{name}:local")) / 1e6
        assert size < int(limit), f"{name} has {size:.0f} MB"
    return f"each service below {limit} MB"


def configurations():
    for name in [*services, "stride", "web"]:
        user = podman("image", "inspect", "--format", "{{.User}}", f"{prefix}/{name}:local")
        assert re.fullmatch(r"[1-9]\d{4,}:[1-9]\d{4,}", user), f"{name} runs as {user!r}"
        health = podman("image", "inspect", "--format", "{{json .HealthCheck}}", f"{prefix}/{name}:local")
        assert health != "null", f"{name} has no HEALTHCHECK"
    return "every image has a number for its user and a health check"


def rules(binary):
    """The releases of the time-zone database that an executable or library carries for Foundation (ICU), such as 2025b."""
    return {text.decode("utf-16le") for text in re.findall(rb"(?:2\x000\x00\d\x00\d\x00[a-z]\x00)(?=\x00\x00)", binary)}


def time_zones():
    library = Path(shutil.which("swift")).resolve().parents[1] / "lib/swift/linux/lib_FoundationICU.so"
    tested = rules(library.read_bytes())
    assert len(tested) == 1, tested
    for name in services:
        found = rules(subprocess.run(
            ["podman", "run", "--rm", "--no-healthcheck", "--network=none", "--entrypoint=/bin/cat", f"{prefix}/{name}:local",
             f"/usr/local/bin/{name}"], capture_output=True, check=True, timeout=120).stdout)
        assert found == tested, f"{name} has {found}, tested is {tested}"
        podman("run", "--rm", "--no-healthcheck", "--network=none", "--entrypoint=/usr/bin/test", f"{prefix}/{name}:local",
               "-s", "/usr/share/zoneinfo/tzdata.zi")
    return f"the rules of time zones are those of the tests: {tested.pop()}"


# --- The pods


def round_trip():
    until("the gateway passes calls on", lambda: status("/v1/athletes", gateway) == 200)
    workout = walk()
    code, answer = call("POST", "/v1/workouts", json.dumps(workout))
    assert code == 201, (code, answer)
    assert call("POST", "/v1/workouts", json.dumps(workout))[1]["duplicate"] is True
    code, summary = call("GET", "/v1/progressSummary?time_zone=Europe/Berlin")
    assert code == 200 and sum(summary["currentWeekSteps"]) == 1020, (code, summary)
    code, board = call("GET", "/v1/athletes", bearer=None)
    assert code == 200, (code, board)
    assert call("GET", "/v1/profile")[0] in (200, 404)
    return "a workout in, its summary out, through the gateway; plan and leaderboard answer"


def fetch(path):
    connection = http.client.HTTPConnection("127.0.0.1", gateway, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status)
        return answer.headers.get_content_type(), body
    finally:
        connection.close()


def app():
    """What the service worker asks for is there as it wants it: otherwise no browser would take the app."""
    files = dict(re.findall(r'"(/[^"]*)": "([0-9a-f]{64})"', fetch("/sw.js")[1].decode()))
    for path, wanted in files.items():
        assert hashlib.sha256(fetch(path)[1]).hexdigest() == wanted, f"{path} is another than the service worker knows"
    assert "/index.html" in files and fetch("/")[1] == fetch("/index.html")[1], "/ is not the page"
    kind, core = fetch("/core.wasm")
    assert "/core.wasm" in files and kind == "application/wasm" and core.startswith(b"\0asm\1\0\0\0"), (kind, core[:8])
    packed = subprocess.run(["gzip", "-9"], input=core, capture_output=True, check=True).stdout
    assert len(packed) < 100_000, (len(core), len(packed))
    configuration = json.loads(fetch("/config.json")[1])
    assert configuration["signIn"]["scope"] == "openid", configuration
    kind, page = fetch("/docs/api")
    assert kind == "text/html" and b"workouts" in page, f"/docs/api is {kind}: {page[:80]}"
    described = fetch("/docs/openapi.yaml")[1]
    assert described == (tools.parents[1] / "docs/openapi.yaml").read_bytes(), "/docs/openapi.yaml is another"
    return f"{len(files)} files of the app as its service worker knows them, the core ({len(core)} bytes) among them, and /docs"


def local_days():
    """Half an hour around midnight in a zone with an offset of its own: the day is the zone's, not that of UTC."""
    for zone, instant, day in [
        ("Europe/Berlin", "2025-07-01T22:30:00Z", "2025-07-02"),
        ("America/New_York", "2025-07-02T03:30:00Z", "2025-07-01"),
        ("Pacific/Kiritimati", "2025-12-30T10:30:00Z", "2025-12-31"),
    ]:
        start = calendar.timegm(time.strptime(instant, "%Y-%m-%dT%H:%M:%SZ")) * 1000
        workout = walk(steps=77, time_zone=zone) | {"start_time": start, "end_time": start + 60_000}
        code, answer = call("POST", "/v1/workouts", json.dumps(workout))
        assert code == 201, (zone, code, answer)
        stored = database(f"select day from workouts where request_id = '{workout['requestId']}'")
        assert stored == day, (zone, stored)
    return "days are those of the time zone"


def confinement():
    for name in [*services, "web"]:
        container = f"{name}-pod-0-{'web' if name == 'web' else 'service'}"
        pid = inspect(container)["State"]["Pid"]
        state = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        assert state["Uid"].split() == ["65532"] * 4 and state["Gid"].split() == ["65532"] * 4, (name, state["Uid"])
        for capabilities in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(state[capabilities], 16) == 0, (name, capabilities, state[capabilities])
        assert state["NoNewPrivs"] == "1", name
        root = next(line.split() for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines() if line.split()[4] == "/")
        assert "ro" in root[5].split(","), (name, root)
        touched = podman("exec", container, "/usr/bin/touch", "/usr/local/x", check=False)
        assert touched.returncode and "Read-only" in touched.stderr, (name, touched)
    return "the processes are 65532 without a capability, on a root that cannot be written"


def health():
    for name in services:
        for word in ("--health", "--ready"):
            podman("exec", f"{name}-pod-0-service", name, word)
    podman("exec", "web-pod-0-web", "/opt/stride/Scripts/gateway.sh", "health")
    return "the health check of each image says yes"


# --- A service alone


class Load:
    """Clients that send workouts, one after the other, and keep the ids that were acknowledged."""

    def __init__(self, port, clients, body):
        self.acknowledged, self.answers, self.stopped = [], {}, threading.Event()
        self.lock, self.port, self.body = threading.Lock(), port, body
        self.threads = [threading.Thread(target=self.send, daemon=True) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def send(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while not self.stopped.is_set():
            path, workouts, text = self.body()
            try:
                connection.request(
                    "POST", path, text, {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                answer.read()
                with self.lock:
                    self.answers[answer.status] = self.answers.get(answer.status, 0) + 1
                    if answer.status in (200, 201, 207):
                        self.acknowledged += workouts
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(0.02)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)


def single():
    workout = walk(steps=1)
    return "/v1/workouts", [workout["requestId"]], json.dumps(workout)


def missing(ids):
    listed = ",".join(f"('{item}'::uuid)" for item in ids)
    return int(database(
        f"select count(*) from (values {listed}) as sent(id) left join workouts on request_id = id where request_id is null"))


def termination():
    """There is one ingest only: while it is away, the gateway asks to come again."""
    name, load = "ingest-pod-0-service", Load(gateway, 8, single)
    until("the load runs", lambda: len(load.acknowledged) > 200)
    begin = time.monotonic()
    podman("stop", "-t", "40", name)
    took = time.monotonic() - begin
    time.sleep(0.5)
    code = inspect(name)["State"]["ExitCode"]
    podman("start", name)
    until("it is ready again", lambda: status("/readyz", int(environment["STRIDE_INGEST_ADMIN_PORT"])) == 200)
    before = len(load.acknowledged)
    until("it is sent to again", lambda: len(load.acknowledged) > before + 100)
    load.stop()
    assert code == 0 and took < 20, f"exit {code} after {took:.1f} s"
    assert missing(load.acknowledged) == 0
    assert set(load.answers) <= {201, 503}, load.answers
    return f"SIGTERM under load: exit 0 after {took:.1f} s, all of {len(load.acknowledged)} acknowledged workouts are there"


def hoard(port, count):
    """Connections with a body each that lacks its last bytes, which the service has to keep."""
    head = (
        "POST /v1/workouts/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: 1000000\r\n\r\n")
    lines = []
    for _ in range(count):
        try:
            line = socket.create_connection(("127.0.0.1", port), 10)
            line.sendall(head.encode() + b" " * 990_000)
            lines.append(line)
        except OSError:
            break
    return lines


def memory():
    """More at once than a small limit holds: the kernel ends the process, and what it had acknowledged is in the database."""
    port, admin = free_port(), free_port()
    words = container_words("ingest", **host_settings(), STRIDE_INGEST_PORT=port, STRIDE_INGEST_ADMIN_PORT=admin)
    words = [word for word in words if not word.startswith("--memory")]
    podman("run", "-d", "--name=small", "--no-healthcheck", "--memory=64m", "--memory-swap=64m", *words)
    until("it is ready", lambda: status("/readyz", admin) == 200)
    load = Load(port, 4, single)
    until("the load runs", lambda: len(load.acknowledged) > 200)
    lines = hoard(port, 200)
    until("the limit is met", lambda: inspect("small")["State"]["Status"] == "exited", 60)
    load.stop()
    state = inspect("small")["State"]
    podman("rm", "-f", "small")
    assert state["ExitCode"] == 137, state
    assert missing(load.acknowledged) == 0
    return f"out of memory at 64 MiB, {len(lines)} bodies: killed, all of {len(load.acknowledged)} acknowledged workouts are there"


def encryption():
    """The manifests ask for a checked certificate: a server without one is not talked to."""
    port, admin = free_port(), free_port()
    settings = host_settings() | {"PGSSLMODE": "verify-full"}
    words = container_words("ingest", **settings, STRIDE_INGEST_PORT=port, STRIDE_INGEST_ADMIN_PORT=admin)
    podman("run", "-d", "--name=plain", "--no-healthcheck", *words)
    until("it has tried", lambda: "schema_unknown" in podman("logs", "plain"))
    assert status("/livez", admin) == 200 and status("/readyz", admin) == 503
    podman("rm", "-f", "plain")
    return "without TLS in PostgreSQL a pod of the manifests stays unready, and alive"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


for check in (
    sizes, configurations, time_zones, round_trip, app, local_days, confinement, health, termination, memory, encryption,
):
    try:
        print(f"  {check.__name__:<16} {check()}", flush=True)
    except Exception as error:
        print(f"  {check.__name__:<16} FAILED: {error}", flush=True)
        sys.exit(1)
