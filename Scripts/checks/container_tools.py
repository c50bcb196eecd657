"""What the looks at containers share: the arguments and the environment of containers.py, podman, calls, the database."""

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from functools import partial
from pathlib import Path

import calls

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


call = partial(calls.call, port=gateway, bearer=token)


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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
