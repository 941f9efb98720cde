"""What a waiting room is made of, as operators say it and as it is shown to them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.lines import ResourceId

RESOURCES_MAX = 200
TAKEN_BACK_MAX = 3
"""How many openings of a room can be taken back: each is a new draw."""
QUEUES_MAX = 8

RoomName = Annotated[
    str, Meta(min_length=1, max_length=100, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
QueueName = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9-]{0,39}\Z",
        extra_json_schema={"pattern": "^[a-z][a-z0-9-]{0,39}$"},
        description="up to 40 small letters, digits and -, the first of them a letter",
        examples=["general"],
    ),
]
PublicValue = Annotated[
    str, Meta(min_length=1, max_length=500, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
Message = Annotated[
    str, Meta(min_length=1, max_length=500, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
AMinute = Annotated[int, Meta(ge=1, le=100_000)]
InsideMax = Annotated[int, Meta(ge=1, le=1_000_000)]
PassSeconds = Annotated[int, Meta(ge=60, le=86_400)]
GraceSeconds = Annotated[int, Meta(ge=10, le=3_600)]
UnitsMax = Annotated[int, Meta(ge=1, le=1_000)]
EarlyOrder: TypeAlias = Literal["shuffle", "first_come"]
Pace: TypeAlias = Literal["stock", "rate"]
AlarmKind: TypeAlias = Literal["turns_not_taken", "passes_not_used", "provider_slow"]
PaymentsPace: TypeAlias = Literal["well", "slow", "stopped"]
ChallengeRule: TypeAlias = Literal["never", "often", "always"]
RoomState: TypeAlias = Literal["scheduled", "open", "paused", "ended"]


class NewQueue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A queue of a room. While several queues have somebody in them, each gets its `share` of
    those who are let in. One that is `invited` is joined with an invitation only."""

    name: QueueName
    share: Annotated[int, Meta(ge=1, le=100)] = 1
    invited: bool = False


Queues = Annotated[tuple[NewQueue, ...], Meta(min_length=1, max_length=QUEUES_MAX)]
RoomResources = Annotated[tuple[ResourceId, ...], Meta(min_length=1, max_length=RESOURCES_MAX)]


class NewWaitingRoom(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What it takes to make a waiting room. The queue opens at `early_opens_at` (now, if it is
    left out) and the sale at `opens_at`; who came before that is ordered by a `shuffle`, or
    `first_come`. Let in are at most so many `a_minute`, so that never more than `inside_max` are
    inside; with the pace `stock`, only as many as there is something left for. A pass lasts
    `pass_seconds`; who is called has `grace_seconds` to come; with `units_max` a pass buys so
    many units of each resource. A guest who joins solves a `challenge` first: `never`, where many
    join from one address (`often`), or `always`."""

    name: RoomName
    resources: RoomResources
    opens_at: datetime
    early_opens_at: datetime | None = None
    early_order: EarlyOrder = "shuffle"
    pace: Pace = "stock"
    a_minute: AMinute = 600
    inside_max: InsideMax = 500
    pass_seconds: PassSeconds = 600
    grace_seconds: GraceSeconds = 120
    units_max: UnitsMax | None = None
    message: Message | None = None
    challenge: ChallengeRule = "never"
    public_value: PublicValue | None = None
    queues: Queues = (NewQueue(name="general"),)


class ChangeWaitingRoom(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to change of a waiting room; `version`, if given, must be the present one. By
    `state` it is opened now, `paused`, opened again, or `ended`, after which everybody may buy;
    `scheduled` takes an opening back, as long as nobody was let in. `opens_at` and
    `early_opens_at` are of a room that has not opened, and so are its `resources`, of which all are
    said; `early_order` and `public_value` of one
    that nobody could join yet. While it is `draining` nobody more joins, and those who have are
    served; it can be taken back."""

    version: int | UnsetType = UNSET
    name: RoomName | UnsetType = UNSET
    state: RoomState | UnsetType = UNSET
    resources: RoomResources | UnsetType = UNSET
    opens_at: datetime | UnsetType = UNSET
    early_opens_at: datetime | UnsetType = UNSET
    early_order: EarlyOrder | UnsetType = UNSET
    pace: Pace | UnsetType = UNSET
    a_minute: AMinute | UnsetType = UNSET
    inside_max: InsideMax | UnsetType = UNSET
    pass_seconds: PassSeconds | UnsetType = UNSET
    grace_seconds: GraceSeconds | UnsetType = UNSET
    units_max: UnitsMax | UnsetType | None = UNSET
    message: Message | UnsetType | None = UNSET
    challenge: ChallengeRule | UnsetType = UNSET
    public_value: PublicValue | UnsetType = UNSET
    draining: bool | UnsetType = UNSET


class TakenBackOpening(msgspec.Struct, frozen=True, kw_only=True):
    """An opening that was taken back before anybody was let in. Its seed and its public value were
    told, so the order is drawn anew, by another seed."""

    opened_at: datetime
    taken_back_at: datetime
    seed_hash: str
    seed: str
    public_value: str


TAKEN_BACK: msgspec.json.Decoder[tuple[TakenBackOpening, ...]] = msgspec.json.Decoder(
    tuple[TakenBackOpening, ...]
)


class RoomAlarm(msgspec.Struct, frozen=True, kw_only=True):
    """Something to look at in a waiting room that is open. Of so many `cases` of the last five
    minutes a `share` went wrong: turns that were called and not taken, passes that lapsed with
    nothing bought, or (now) payments that the provider has not answered for ten seconds."""

    kind: AlarmKind
    share: Annotated[float, Meta(ge=0, le=1)]
    cases: Annotated[int, Meta(ge=0)]
    since: datetime


class WaitingRoom(msgspec.Struct, frozen=True, kw_only=True):
    """A waiting room as operators see it. `seed_hash` is told from the beginning, `seed` from
    the opening on; `public_value_stands` from when on people can join: it cannot be named any
    more. `taken_back` are openings that were undone. `joined` (and did not leave before the turn),
    `let_in`, `inside` and `bought` are how many did so until now; `alarms` are what to look at
    while it is open. While `payments` are `slow`, only as many are let in as the payment provider
    keeps up with; while they are `stopped`, it answers nothing, and nobody is."""

    id: str
    name: str
    state: RoomState
    resources: tuple[str, ...]
    early_opens_at: datetime
    opens_at: datetime
    early_order: EarlyOrder
    pace: Pace
    a_minute: int
    inside_max: int
    pass_seconds: int
    grace_seconds: int
    units_max: int | None
    message: str | None
    challenge: ChallengeRule
    draining: bool
    queues: tuple[NewQueue, ...]
    seed_hash: str
    seed: str | None
    public_value: str | None
    public_value_stands: bool
    taken_back: tuple[TakenBackOpening, ...]
    opened_at: datetime | None
    sold_out: bool
    joined: int
    let_in: int
    inside: int
    bought: int
    alarms: tuple[RoomAlarm, ...]
    payments: PaymentsPace
    version: int
    created_at: datetime
    updated_at: datetime
