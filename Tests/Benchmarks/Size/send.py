"""Sends a month of workouts of some users: send.py PORT TOKENS random|ordered

Thirty a day for thirty days, as phones send them: day by day, all users of a day before the next day begins. The requestIds
are random UUIDs (version 4) or time-ordered ones (version 7).
"""

import http.client
import json
import random
import sys

DAYS, A_DAY, FIRST_MS = 30, 30, 1_761_955_200_000  # 2025-11-01


def request_id(start, kind, generator):
    digits = f"{generator.getrandbits(128):032x}"
    if kind == "ordered":
        digits = f"{start:012x}7{digits[13:16]}8{digits[17:]}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def day_of(user, day, kind, generator):
    for number in range(A_DAY):
        start = FIRST_MS + day * 86_400_000 + number * 1_800_000 + user
        yield {
            "requestId": request_id(start, kind, generator), "start_time": start, "end_time": start + 900_000,
            "steps": generator.randrange(1500), "distance": generator.randrange(1_100_000) / 1000,
            "time_zone": "Europe/Berlin", "device_id": f"phone-{user}",
        }


def main():
    port, tokens, kind = int(sys.argv[1]), open(sys.argv[2], encoding="ascii").read().split(), sys.argv[3]
    generator = random.Random(1)
    line = http.client.HTTPConnection("127.0.0.1", port)
    for day in range(DAYS):
        for user, token in enumerate(tokens):
            body = json.dumps({"workouts": list(day_of(user, day, kind, generator))})
            line.request("POST", "/v1/workouts/batch", body, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
            answer = line.getresponse()
            results = json.load(answer)["results"]
            if any(result["result"] != "created" for result in results):
                sys.exit(f"{answer.status}: {results[0]}")
    print(DAYS * A_DAY * len(tokens))


if __name__ == "__main__":
    main()
