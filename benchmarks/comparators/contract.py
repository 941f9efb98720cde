"""What every FastAPI comparator accepts and answers, and how it checks the key.

Kept apart from the strategies so that they differ in nothing but how they take the seats.
"""

import hashlib
import hmac
import os
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Header, HTTPException
from pydantic import BaseModel, Field

HOLD_SECONDS = 600
OWNER_LIMIT = 6
LIVE_KEY_HASH = hashlib.sha256(os.environ.get("BENCH_KEY", "sk_bench").encode()).digest()

Label = Annotated[str, Field(min_length=1, max_length=64)]


class HoldRequest(BaseModel):
    """Seats of one show, all or none."""

    owner: Label
    show_id: int
    units: Annotated[list[Label], Field(min_length=1, max_length=50)]
    idempotency_key: Label


class HoldAnswer(BaseModel):
    """A hold as its owner sees it."""

    id: UUID
    state: str
    owner: str
    show_id: int
    units: list[str]
    expires_at: datetime


class ConfirmRequest(BaseModel):
    """Turn a hold into a sale."""

    hold_id: UUID
    owner: Label


class Refused(Exception):
    """The request cannot be granted; the transaction is rolled back."""

    def __init__(self, status: int, code: str, units: list[str] | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.units = units or []


async def check_key(authorization: Annotated[str, Header()] = "") -> None:
    """401 unless the bearer key is ours; compared as a hash, as Bespeak does."""
    given = hashlib.sha256(authorization.removeprefix("Bearer ").encode()).digest()
    if not hmac.compare_digest(given, LIVE_KEY_HASH):
        raise HTTPException(401, "unknown key")
