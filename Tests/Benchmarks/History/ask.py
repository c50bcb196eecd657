"""Asks two progress services by turns, and compares: ask.py SMALL_PORT SMALL_TOKENS LARGE_PORT LARGE_TOKENS REDIS_PORT ROUNDS CALLS

Prints a table in Markdown: p99 of each kind of call, of the user with the long history and of any user, and the ratios.
"""

import base64
import datetime
import hashlib
import http.client
import json
import random
import socket
import statistics
import sys
import time

DAY_MS = 86_400_000
TODAY = datetime.datetime.now(datetime.timezone.utc).date()
KINDS = {
    "summary, from the cache": 7, "summary, from PostgreSQL": 7, "progress of 101 weeks": 101, "400 days": 400,
    "a page of 200 workouts": 200,
}
AIM = 1.5


class Redis:
    """Forgets homes, so that the next call is answered by PostgreSQL."""

    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port))

    def forget(self, key):
        self.line.sendall(f"UNLINK {key}\r\n".encode())
        self.line.recv(64)


class Service:
    """One progress and its users, whose histories are so many days long."""

    def __init__(self, port, tokens, days, redis):
        self.line = http.client.HTTPConnection("127.0.0.1", port)
        self.tokens = open(tokens, encoding="ascii").read().split()
        self.days, self.redis = days, redis

    def home(self, token):
        """The key of the user of a token, as Stride makes it of issuer and subject."""
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        texts = [claims["iss"].encode(), claims["sub"].encode()]
        digest = bytearray(hashlib.sha256(b"".join(len(text).to_bytes(8, "big") + text for text in texts)).digest()[:16])
        digest[6], digest[8] = digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80
        digits = digest.hex()
        return f"stride:{{{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}}}:home"

    def ask(self, kind, who):
        """Milliseconds of a call, of which the answer must have as many entries as the kind says."""
        token = self.tokens[0] if who == "one" else random.choice(self.tokens)
        path = "/v1/progressSummary"
        if kind == "summary, from PostgreSQL":
            self.redis.forget(self.home(token))
        elif kind == "progress of 101 weeks":
            path = "/v1/progress"
        elif kind == "400 days":
            last = TODAY - datetime.timedelta(days=random.randrange(self.days - 400))
            path = f"/v1/days?from={last - datetime.timedelta(days=399)}&to={last}"
        elif kind == "a page of 200 workouts":
            first = TODAY - datetime.timedelta(days=random.randrange(200, self.days))
            begin = int(datetime.datetime(first.year, first.month, first.day, tzinfo=datetime.timezone.utc).timestamp() * 1000)
            path = f"/v1/workouts?start_time={begin}&end_time={begin + 4000 * DAY_MS}&limit=200"
        begin = time.perf_counter()
        self.line.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = self.line.getresponse()
        body = answer.read()
        took = (time.perf_counter() - begin) * 1000
        value = json.loads(body)
        for name in ("currentWeekSteps", "progress", "days"):
            if isinstance(value, dict) and name in value:
                value = value[name]
                break
        source = "database" if "PostgreSQL" in kind else "cache" if "cache" in kind else None
        if answer.status != 200 or len(value) != KINDS[kind] or source not in (None, answer.headers["X-Stride-Source"]):
            sys.exit(f"{kind}: {answer.status} with {len(value)} entries from {answer.headers['X-Stride-Source']}: {body[:200]}")
        return took


def p99(values):
    return sorted(values)[int(len(values) * 0.99)]


def main():
    small_port, small_tokens, large_port, large_tokens, redis_port, rounds, calls = sys.argv[1:]
    redis = Redis(int(redis_port))
    small = Service(int(small_port), small_tokens, 728, redis)
    large = Service(int(large_port), large_tokens, 3650, redis)
    print("| what | of whom | empty table, p99 | large table, p99 | ratio (range) | aim | reached |\n| --- | --- | --- | --- | --- | --- | --- |")
    for kind in KINDS:
        for who in ("one", "any"):
            users = large.tokens[:1] if who == "one" else large.tokens
            for token in users if "cache" in kind else []:  # fills the cache
                large.line.request("GET", "/v1/progressSummary", headers={"Authorization": f"Bearer {token}"})
                large.line.getresponse().read()
            first, second = [], []
            small.ask("progress of 101 weeks", "one")
            for _ in range(int(rounds)):
                pairs = [(small.ask(kind, "one"), large.ask(kind, who)) for _ in range(int(calls))]
                first.append(p99([pair[0] for pair in pairs]))
                second.append(p99([pair[1] for pair in pairs]))
            ratios = [after / before for before, after in zip(first, second)]
            ratio = statistics.median(ratios)
            name = "the user with ten years" if who == "one" else "any user"
            print(f"| {kind} | {name} | {statistics.median(first):.2f} ms | {statistics.median(second):.2f} ms "
                f"| {ratio:.2f} ({min(ratios):.2f}–{max(ratios):.2f}) | ≤ {AIM} | {'yes' if ratio <= AIM else '**no**'} |", flush=True)


if __name__ == "__main__":
    main()
