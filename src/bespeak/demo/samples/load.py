"""Loads the samples into a database, once: a second call finds them and adds nothing. What has a
day of its own (the play, the session, the festival, the train) is made anew once that is over.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.demo.samples.catalogue import SAMPLES, Sample

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.inventory.resources import NewResource, Resource

_PAGE = 1000
_MARK = "sample"


class Loaded(NamedTuple):
    """A sample and its resource."""

    sample: Sample
    resource: Resource


async def load_samples(engine: Engine, now: datetime | None = None) -> list[Loaded]:
    """The samples, in the order of the catalogue, loaded if need be. `now` is the database's clock
    unless given."""
    now = now or engine.clock.now()
    loaded = []
    for sample in SAMPLES:
        new = _marked(sample, now)
        found = await _found(engine, sample, new.kind, now)
        loaded.append(Loaded(sample, found or await engine.create_resource(new)))
    return loaded


def _marked(sample: Sample, now: datetime) -> NewResource:
    """The sample as it would be made now, with the mark by which it is found again."""
    new = sample.make(now)
    return msgspec.structs.replace(new, attributes={_MARK: sample.key, **new.attributes})


async def _found(engine: Engine, sample: Sample, kind: str, now: datetime) -> Resource | None:
    """The sample that was loaded before and is not over yet."""
    after = None
    while True:
        page = await engine.list_resources(after=after, limit=_PAGE, kind=kind)
        for resource in page.items:
            is_over = resource.closes_at is not None and resource.closes_at <= now
            if resource.attributes.get(_MARK) == sample.key and not is_over:
                return resource
        after = page.next
        if after is None:
            return None
