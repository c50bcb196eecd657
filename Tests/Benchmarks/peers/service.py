"""The usual Python service for what ingest and progress do with the same tables: what `./dev bench speed` compares with.

FastAPI and pydantic over uvicorn with uvloop and httptools, one worker a core; asyncpg with a pool and prepared
statements; redis-py with hiredis; PyJWT; orjson. It counts no budgets, knows one device a user and marks nothing for a
repair of the cache, so it does less than Stride. Settings: PEER_POSTGRES_URL, PEER_REDIS_URL, PEER_SECRET_FILE,
PEER_CONNECTIONS for each worker.
"""

import hashlib
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from uuid import UUID

import asyncpg
import jwt
import orjson
from fastapi import Depends, FastAPI, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from redis.asyncio import BlockingConnectionPool, Redis

from store import Store
from summary import summary
from workout import ZONES, Workout

SECRET = Path(os.environ["PEER_SECRET_FILE"]).read_bytes().strip()
CONNECTIONS = int(os.environ.get("PEER_CONNECTIONS", "8"))


class Problem(Exception):
    """An answer other than the usual one."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.body = {"type": "about:blank", "status": status, "code": code, "detail": detail}


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Opens the connections of this worker."""
    connections = BlockingConnectionPool.from_url(
        os.environ["PEER_REDIS_URL"], max_connections=CONNECTIONS, decode_responses=True)
    async with (
        asyncpg.create_pool(os.environ["PEER_POSTGRES_URL"], min_size=CONNECTIONS, max_size=CONNECTIONS) as pool,
        Redis.from_pool(connections) as redis,
    ):
        app.state.store = Store(pool, redis)
        yield


app = FastAPI(lifespan=lifespan, openapi_url=None)


async def caller(authorization: Annotated[str, Header()] = "") -> UUID:
    """The user whom the token names: an id out of issuer and subject, as Stride makes it."""
    scheme, _, token = authorization.partition(" ")
    try:
        claims = jwt.decode(token, SECRET, algorithms=["HS256"], audience="stride", issuer="bench",
            options={"require": ["exp", "sub"]})
    except jwt.InvalidTokenError as error:
        raise Problem(401, "UNAUTHENTICATED", str(error)) from error
    if scheme.lower() != "bearer":
        raise Problem(401, "UNAUTHENTICATED", "a bearer token is needed")
    texts = [claims["iss"].encode(), claims["sub"].encode()]
    digest = bytearray(hashlib.sha256(b"".join(len(text).to_bytes(8, "big") + text for text in texts)).digest()[:16])
    digest[6], digest[8] = digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80
    return UUID(bytes=bytes(digest))


User = Annotated[UUID, Depends(caller)]


def answer(status: int, body: object, kind: str = "application/json", **fields: str) -> Response:
    """A body written by orjson."""
    return Response(orjson.dumps(body), status, fields, kind)


@app.exception_handler(Problem)
async def tell_problem(_: Request, problem: Problem) -> Response:
    """Problems as RFC 9457 has them."""
    return answer(problem.body["status"], problem.body, "application/problem+json")


@app.exception_handler(RequestValidationError)
async def tell_faults(_: Request, error: RequestValidationError) -> Response:
    """All faults of a body."""
    faults = [{"pointer": "/" + "/".join(map(str, fault["loc"][1:])), "detail": fault["msg"]} for fault in error.errors()]
    return answer(400, {"type": "about:blank", "status": 400, "code": "INVALID_REQUEST", "errors": faults},
        "application/problem+json")


@app.post("/v1/workouts")
async def post_workout(user: User, workout: Workout, request: Request) -> Response:
    """Takes a workout."""
    number, is_duplicate = await request.app.state.store.add(user, workout)
    if number is None:
        raise Problem(422, "IDEMPOTENCY_KEY_REUSED", "this requestId names another workout")
    return answer(200 if is_duplicate else 201,
        {"workout_id": number, "requestId": workout.request_id, "duplicate": is_duplicate})


@app.get("/v1/progressSummary")
async def get_summary(user: User, request: Request, time_zone: str | None = None) -> Response:
    """Shows the first screen."""
    if time_zone is not None and time_zone not in ZONES:
        raise Problem(400, "INVALID_REQUEST", "unknown time zone")
    home = await request.app.state.store.home(user, datetime.now(UTC).date())
    body = summary(home, time_zone)
    tag = f'"{hashlib.blake2b(orjson.dumps(body), digest_size=16).hexdigest()}"'
    fields = {"ETag": tag, "Cache-Control": "private, no-cache", "X-Stride-Source": home.source}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=fields)
    return Response(orjson.dumps(body | {"asOf": int(time.time() * 1000)}), 200, fields, "application/json")
