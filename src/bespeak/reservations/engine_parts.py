"""What the verbs of a process work with: its connections, what it knows, and what makes and changes
holds. There is one of each, however many engines speak for the process.
"""

from __future__ import annotations

from dataclasses import dataclass

from bespeak.clock import DatabaseClock
from bespeak.companions import Companions
from bespeak.postgres.pool import Database
from bespeak.postgres.reads import Reads
from bespeak.reservations.changes import Changer
from bespeak.reservations.committer import Committer
from bespeak.reservations.demand_cache import DemandCache
from bespeak.reservations.hold_batches import HoldBatches
from bespeak.reservations.memory import TakenMemory
from bespeak.reservations.placement import Placer
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.settings import Settings


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The parts of a process's engines."""

    database: Database
    reads: Reads
    settings: Settings
    clock: DatabaseClock
    memory: TakenMemory
    ready_resources: ResourceCache
    snapshots: SnapshotCache
    demands: DemandCache
    committer: Committer
    placer: Placer
    changer: Changer
    hold_batches: HoldBatches
    companions: Companions


def make_engine_parts(
    database: Database, committer: Committer, settings: Settings, reads: Reads
) -> EngineParts:
    """The parts of a process that knows nothing yet."""
    clock = DatabaseClock()
    memory = TakenMemory(settings.known_taken_seconds, settings.known_taken_max)
    ready_resources = ResourceCache(database)
    snapshots = SnapshotCache(database, settings)
    demands = DemandCache(database, clock, settings)
    known = (memory, ready_resources, snapshots, demands)
    return EngineParts(
        database,
        reads,
        settings,
        clock,
        *known,
        committer,
        Placer(database, committer, *known, clock, settings),
        Changer(database, committer, memory, snapshots, clock, settings),
        HoldBatches(settings.queue_max),
        Companions(),
    )
