"""The whole system for the time of a run: four services, the gateway with the web app, and tokens for anybody.

The stores come from `./dev test`, which says in the environment where they and the built programs are.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ["STRIDE_TEST_BIN"])
SERVICES = ["ingest", "plan", "progress", "leaderboard"]
# Where everybody is: Berlin by day, else where it is afternoon, because a workout that was begun before midnight is only partly today's.
BY_DAY = "Europe/Berlin" if 3 <= datetime.now(ZoneInfo("Europe/Berlin")).hour < 21 else "America/Denver"
ZONE = os.environ.get("STRIDE_TEST_ZONE", BY_DAY)


def free_port() -> int:
    """A port below the range from which the system takes ports for outgoing connections."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Answer:
    """What a call came to."""

    def __init__(self, status: int, headers, body: bytes):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


class Stand:
    """Starts everything with `begin`, ends it with `close`."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.children: dict[str, subprocess.Popen] = {}
        (folder / "secret").write_text(secrets.token_hex(32))
        self.ports = {name: free_port() for name in SERVICES}
        self.admin = {name: free_port() for name in SERVICES}
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "PATH": os.environ["PATH"],
            "STRIDE_POSTGRES_URL": os.environ["STRIDE_TEST_POSTGRES_URL"],
            "STRIDE_REDIS_URL": os.environ["STRIDE_TEST_REDIS_URL"] + "/9",
            "STRIDE_TOKEN_SECRET_FILE": str(folder / "secret"),
            "STRIDE_TOKEN_ISSUER": "browser-tests",
            "STRIDE_TOKEN_AUDIENCE": "stride",
            "STRIDE_LOOPS": "1",
            "STRIDE_LOG_LEVEL": "debug",
            "STRIDE_POSTGRES_QUEUE_MS": "30000",
            # On a busy machine a workout may wait longer for the cache than users should.
            "STRIDE_INGEST_REDIS_MS": "1000",
        }

    def begin(self) -> None:
        self.run("stride", "migrate")
        for name in SERVICES:
            self.start(name)
        for name in SERVICES:
            self.await_ready(name)
        self.start_gateway()

    def run(self, program: str, *arguments: str, **settings: str) -> str:
        done = subprocess.run(
            [BUILT / program, *arguments], env=self.environment | settings, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{program} {arguments}: {done.stderr}"
        return done.stdout.strip()

    def launch(self, name: str, command: list, environment: dict) -> None:
        log = open(self.folder / f"{name}.log", "ab")
        self.children[name] = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=ROOT)

    def start(self, name: str) -> None:
        ports = {f"STRIDE_{name.upper()}_PORT": self.ports[name], f"STRIDE_{name.upper()}_ADMIN_PORT": self.admin[name]}
        self.launch(name, [BUILT / name], self.environment | {key: str(value) for key, value in ports.items()})

    def await_ready(self, name: str) -> None:
        self.eventually(lambda: self.fetch(f"http://127.0.0.1:{self.admin[name]}/readyz").status == 200, name)

    def start_gateway(self) -> None:
        settings = {
            "PATH": os.environ["PATH"], "STRIDE_BIND": "127.0.0.1", "STRIDE_GATEWAY_PORT": str(self.port),
            "STRIDE_GATEWAY_RATE_PER_MINUTE": "60000", "STRIDE_GATEWAY_BURST": "1000",
            "STRIDE_GATEWAY_CONNECTIONS": "1000", "STRIDE_GATEWAY_ANSWER_SECONDS": "60",
            "STRIDE_WEB_IMAGE_HOSTS": "https://pictures.example", "STRIDE_WEB_SIGN_IN_HOSTS": "https://issuer.example",
            **{f"STRIDE_{name.upper()}_ADDRESS": f"127.0.0.1:{port}" for name, port in self.ports.items()},
        }
        text = subprocess.run(
            [ROOT / "Scripts/render-gateway.sh"], env=settings, capture_output=True, text=True, check=True).stdout
        (self.folder / "gateway.conf").write_text(text)
        command = ["/usr/sbin/nginx", "-e", "stderr", "-p", str(self.folder), "-c", str(self.folder / "gateway.conf")]
        if os.geteuid() == 0:
            command += ["-g", "user root;"]
        self.launch("gateway", command, {"PATH": os.environ["PATH"]})
        self.eventually(lambda: self.fetch(self.url + "/v1/plan_templates").status == 200, "gateway")

    def close(self) -> None:
        for child in self.children.values():
            child.send_signal(signal.SIGTERM)
        for child in self.children.values():
            try:
                child.wait(30)
            except subprocess.TimeoutExpired:
                child.kill()

    def fetch(self, url: str, method: str = "GET", token: str | None = None, body=None) -> Answer:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refusal:
            return Answer(refusal.code, refusal.headers, refusal.read())
        except OSError as failure:
            return Answer(0, {}, str(failure).encode())

    def call(self, method: str, path: str, token: str | None = None, body=None) -> Answer:
        """A call through the gateway, as another client than the browser would make it."""
        return self.fetch(self.url + path, method, token, body)

    def token(self, name: str | None = None, *options: str) -> str:
        """A token for a user; without a name one whom nobody else is."""
        return self.run("stride", "token", "--sub", name or str(uuid.uuid4()), *options)

    def run_demo(self, name: str) -> None:
        """Gives a user a made-up fortnight, a profile and a plan."""
        self.run("stride", "demo", "--sub", name, "--time-zone", ZONE,
                 STRIDE_GATEWAY_URL=self.url, no_proxy="127.0.0.1")

    def logs(self) -> str:
        """Everything that services and gateway have written."""
        return "".join(path.read_text(errors="replace") for path in self.folder.glob("*.log"))

    def sql(self, statement: str) -> str:
        done = subprocess.run(
            ["psql", "-XqAt", "-d", self.environment["STRIDE_POSTGRES_URL"], "-c", statement],
            capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @staticmethod
    def eventually(holds, what: str, within: float = 90) -> None:
        """Waits until something holds; the time only guards against waiting for ever."""
        deadline = time.monotonic() + within
        while not holds():
            assert time.monotonic() < deadline, f"not within {within} s: {what}"
            time.sleep(0.05)
