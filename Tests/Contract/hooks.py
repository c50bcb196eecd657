"""What docs/openapi.yaml cannot say: rules between members, and fields that every answer of a kind has to have."""

import json
import re

import schemathesis
from hypothesis import strategies

EARLIEST_MS = 946_684_800_000
LATEST_MS = 1_700_000_000_000
LONGEST_MS = 48 * 3_600_000

# Right values of the formats that only this contract has. Cursors come from answers, by links.
schemathesis.openapi.format("time-zone", strategies.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns"]))
schemathesis.openapi.format("cursor", strategies.just("made-up"))

# Faults of requests that their schema calls right: what is wrong is how members stand to each other, to the clock, or to what is
# stored.
BEYOND_SCHEMA = [
    ("/query/cursor", "is not a cursor of this list"),
    ("/query/time_zone", "is not the name of a time zone"),
    ("/query/end_time", "must be after start_time"),
    ("/query/to", "must not be before from"),
    ("/query/to", "must be at most 399 days after from"),
    ("/time_zone", "is not the name of a time zone"),
    ("/end_time", "must be after start_time"),
    ("/end_time", "must be at most"),
    ("/startDate", "must not be before 2000-01-01"),
    ("/startDate", "must be at most 400 days after today"),
    ("/templateId", "is not the id of a template"),
    (r"/weekly_goals/\d+/week", "must be"),
]


@schemathesis.hook
def map_body(context, body):
    """Makes two instants that each are right a span of at most 48 hours, long ago, and numbers weeks that are numbered at all."""
    if not isinstance(body, dict):
        return body
    start, end = body.get("start_time"), body.get("end_time")
    if is_instant(start) and is_instant(end):
        body["start_time"] = EARLIEST_MS + start % (LATEST_MS - EARLIEST_MS)
        body["end_time"] = body["start_time"] + 1 + end % LONGEST_MS
    weeks = body.get("weekly_goals")
    if isinstance(weeks, list) and all(isinstance(week, dict) and is_integer(week.get("week")) for week in weeks):
        for number, week in enumerate(weeks):
            if 0 <= week["week"] <= 103:
                week["week"] = number
    return body


@schemathesis.hook
def map_query(context, query):
    """Puts two bounds of a time in order, and leaves out cursors that no answer has given."""
    if isinstance(query, dict):
        if query.get("cursor") == "made-up":
            del query["cursor"]
        start, end = query.get("start_time"), query.get("end_time")
        if is_integer(start) and is_integer(end) and end < start:
            query["start_time"], query["end_time"] = end, start
    return query


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Leaves out failures that are none: rules beyond the schema, and methods that no path takes, which are 501."""
    if case.method.upper() in ("TRACE", "QUERY") and response.status_code == 501:
        return False
    if type(failure).__name__ == "RejectedPositiveData" and response.status_code == 400:
        return not all(is_beyond_schema(fault) for fault in response.json().get("errors", [{}]))
    return True


@schemathesis.deserializer("application/x-ndjson")
def lines(ctx, response):
    """An export: each line is a document with a kind, and the last one says that it is whole."""
    text = response.content.decode()
    kinds = [json.loads(line)["kind"] for line in text.splitlines()]
    assert kinds[0] == "export" and kinds[-1] == "end", kinds
    return text


@schemathesis.check
def writes_tell_the_budget(ctx, response, case):
    """An answer to an authenticated write says what is left of the budget, whatever else it says."""
    is_write = case.method.upper() in ("POST", "PUT", "DELETE") and case.method.upper() == case.operation.method.upper()
    if is_write and "Authorization" in response.request.headers and response.status_code not in (401, 414, 431):
        assert "ratelimit" in response.headers, f"{response.status_code} without RateLimit"
        assert "ratelimit-policy" in response.headers, f"{response.status_code} without RateLimit-Policy"


@schemathesis.check
def problems_are_whole(ctx, response, case):
    """A refusal is a problem that names its own status and request; nobody gets a page of HTML."""
    if response.status_code < 400 or response.request.method == "HEAD":
        return
    assert response.headers["content-type"] == ["application/problem+json"], response.headers["content-type"]
    problem = response.json()
    assert problem["status"] == response.status_code
    assert [problem["instance"]] == response.headers["x-request-id"]
    assert re.fullmatch("[A-Z_]+", problem["code"])
    assert (problem["code"] == "TRY_AGAIN_LATER") == ("retry-after" in response.headers)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_instant(value):
    return is_integer(value) and EARLIEST_MS <= value < 2**63


def is_beyond_schema(fault):
    pointer, detail = fault.get("pointer", ""), fault.get("detail", "")
    return any(re.fullmatch(rule, pointer) and detail.startswith(words) for rule, words in BEYOND_SCHEMA)
