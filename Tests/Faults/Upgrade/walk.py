"""People who walk while the system is upgraded: walk.py GATEWAY_PORT TOKENS STOP_FILE

Each sends a workout, repeats it until it is answered for good, and looks whether the summary has it; until the file is there.
Prints how many workouts were acknowledged, and ends with 1 if a summary was wrong or a call failed otherwise than by "try again".
"""

import http.client
import json
import os
import sys
import threading
import time
import uuid


class Walker(threading.Thread):
    def __init__(self, port, token, stop):
        super().__init__()
        self.port, self.token, self.stop = port, token, stop
        self.steps, self.count, self.repeats, self.faults = 0, 0, 0, []
        self.line = None

    def call(self, method, path, body=None):
        """The answer, or nothing where there was none."""
        fields = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            self.line = self.line or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self.line.request(method, path, body, fields)
            answer = self.line.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException):
            self.line = None
            return 503, None

    def until_answered(self, method, path, body=None):
        while True:
            status, answer = self.call(method, path, body)
            if status not in (429, 503):
                return status, answer
            self.repeats += 1
            time.sleep(0.05)

    def run(self):
        while not os.path.exists(self.stop) and not self.faults:
            now = int(time.time() * 1000)
            walk = {"requestId": str(uuid.uuid4()), "start_time": now - 1, "end_time": now, "steps": 1, "distance": 0.5}
            status, answer = self.until_answered("POST", "/v1/workouts", json.dumps(walk))
            if status not in (200, 201):
                self.faults.append(f"{status} {answer}")
                break
            self.steps, self.count = self.steps + 1, self.count + 1
            status, summary = self.until_answered("GET", "/v1/progressSummary")
            if status != 200 or sum(summary["currentWeekSteps"]) != self.steps:
                self.faults.append(f"{status}: {self.steps} steps are {summary}")


def main():
    port, tokens, stop = int(sys.argv[1]), open(sys.argv[2], encoding="ascii").read().split(), sys.argv[3]
    walkers = [Walker(port, token, stop) for token in tokens]
    for walker in walkers:
        walker.start()
    for walker in walkers:
        walker.join()
    faults = [fault for walker in walkers for fault in walker.faults]
    print(sum(walker.count for walker in walkers), sum(walker.repeats for walker in walkers))
    if faults:
        sys.exit("\n".join(faults[:10]))


if __name__ == "__main__":
    main()
