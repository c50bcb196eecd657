"""A call of a service, for the checks of what runs in containers."""

import http.client
import json


def call(method, path, body=None, *, port, bearer=None, timeout=30):
    """Its status, and its body: read if it is JSON, else as bytes. Throws OSError where nobody answers."""
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
