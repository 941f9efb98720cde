"""Waitlists as operators set them up and see them, read from the database's rows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.inventory import workspaces
from bespeak.lines import ResourceId
from bespeak.waitlists.policies import Policy
from bespeak.waitlists.wish import PARTY_MAX

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

RESOURCES_MAX = 200
WINDOW_MAX = 200

DecideSeconds: TypeAlias = Annotated[int, Meta(ge=60, le=86_400)]
Window: TypeAlias = Annotated[int, Meta(ge=1, le=WINDOW_MAX)]
PassesMax: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
OwnerEntriesMax: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
EntriesMax: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
ListPartyMax: TypeAlias = Annotated[int, Meta(ge=1, le=PARTY_MAX)]
FreedGoesTo: TypeAlias = Literal["waitlist", "anyone"]
Exchange: TypeAlias = Literal["none", "free"]


class NewWaitlist(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A waitlist for a resource, or for several that are dates of one thing. `policy` says who is
    served first: `strict`, whoever waits longest and can use what came back; `best_fit`, of the
    first `window` the largest party that it is enough for; `lottery`, by lot. Who was passed by
    `passes_max` times (null: as often as it comes) is served before anybody behind. An offer is
    good for `decide_seconds`, and for no longer than a hold of its resource may last. What comes
    back is kept for the list, or is anyone's. With `exchange` `free`, who has a booking may
    wait for something better, and is given all of its money back when they take it."""

    resource_ids: Annotated[tuple[ResourceId, ...], Meta(min_length=1, max_length=RESOURCES_MAX)]
    policy: Policy = "strict"
    window: Window = 20
    passes_max: PassesMax | None = None
    decide_seconds: DecideSeconds = 1800
    owner_entries_max: OwnerEntriesMax = 1
    entries_max: EntriesMax = 10_000
    party_max: ListPartyMax = 20
    freed_goes_to: FreedGoesTo = "waitlist"
    exchange: Exchange = "none"


class WaitlistChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a waitlist that are to change. Closed, it takes nobody more and serves who
    waits. `version`, if given, must be the present one."""

    version: int | UnsetType = UNSET
    state: Literal["open", "closed"] | UnsetType = UNSET
    policy: Policy | UnsetType = UNSET
    window: Window | UnsetType = UNSET
    passes_max: PassesMax | UnsetType | None = UNSET
    decide_seconds: DecideSeconds | UnsetType = UNSET
    owner_entries_max: OwnerEntriesMax | UnsetType = UNSET
    entries_max: EntriesMax | UnsetType = UNSET
    party_max: ListPartyMax | UnsetType = UNSET
    freed_goes_to: FreedGoesTo | UnsetType = UNSET
    exchange: Exchange | UnsetType = UNSET


class Waitlist(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A waitlist, with how many wait and how many are offered something now."""

    id: str
    resource_ids: list[str]
    state: Literal["open", "closed", "ended"]
    policy: Policy
    window: int
    passes_max: int | None
    decide_seconds: int
    owner_entries_max: int
    entries_max: int
    party_max: int
    freed_goes_to: FreedGoesTo
    waiting: int
    offered: int
    version: int
    created_at: datetime
    updated_at: datetime
    exchange: Exchange
    workspace: str = workspaces.DEFAULT


class PublicWaitlist(msgspec.Struct, frozen=True, kw_only=True):
    """A waitlist as who would join it sees it."""

    id: str
    resource_ids: list[str]
    state: Literal["open", "closed", "ended"]
    policy: Policy
    decide_seconds: int
    party_max: int
    waiting: int
    exchange: Exchange


def waitlist_of(row: Record) -> Waitlist:
    """A waitlist from its row."""
    return Waitlist(
        id=ids.show(ids.WAITLIST, row["waitlist_id"]),
        resource_ids=[ids.show_resource(number) for number in row["resources"]],
        state=row["state"],
        policy=row["policy"],
        window=row["window_size"],
        passes_max=row["passes_max"],
        decide_seconds=row["decide_seconds"],
        owner_entries_max=row["owner_entries_max"],
        entries_max=row["entries_max"],
        party_max=row["party_max"],
        freed_goes_to=row["freed_goes_to"],
        exchange=row["exchange"],
        waiting=row["waiting"],
        offered=row["offered"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        workspace=workspaces.named(row["workspace"]),
    )
