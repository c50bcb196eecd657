"""Looks at the running pods and at single containers: containers.py FOLDER RENDERED IMAGE_PREFIX LIMIT_MB.

The environment names ports (STRIDE_…_PORT), the stores (STRIDE_TEST_…) and a token of the user `walker` (STRIDE_TEST_TOKEN).
Prints a line for each thing that holds and ends with 1 at the first that does not.
"""

import calendar
import hashlib
import http.client
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from alone import encryption, memory, termination
from container_tools import (
    call, database, gateway, inspect, limit, podman, prefix, services, status, tools, until, walk)

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


for check in (
    sizes, configurations, time_zones, round_trip, app, local_days, confinement, health, termination, memory, encryption,
):
    try:
        print(f"  {check.__name__:<16} {check()}", flush=True)
    except Exception as error:
        print(f"  {check.__name__:<16} FAILED: {error}", flush=True)
        sys.exit(1)
