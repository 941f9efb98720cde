"""The demo: sample resources and a crowd of buyers, for trying, with tables in a schema of their
own. Production needs nothing of it.
"""

from __future__ import annotations

from importlib import resources

from bespeak.postgres.migrate import Source
from bespeak.settings import Settings

DEMO = Source("demo", resources.files(__name__).joinpath("migrations"))


def demo_sources(settings: Settings) -> list[Source]:
    """The migrations of the demo where it is on, as `migrate` and `require_migrated` take them."""
    return [DEMO] if settings.demo else []
