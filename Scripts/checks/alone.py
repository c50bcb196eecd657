"""A service alone, under load: ended, out of memory, and with a server that does not encrypt."""

import http.client
import json
import socket
import threading
import time

from container_tools import (
    container_words, database, environment, free_port, gateway, host_settings, inspect, podman, status, token, until, walk)


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
