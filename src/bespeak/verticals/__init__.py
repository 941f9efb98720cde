"""What the engine is used for: each vertical is a package that knows its business. What is exported
here, beside `import bespeak`, is all that one needs; it changes only with the version of the seam.
"""

from typing import TYPE_CHECKING

from bespeak.background import BackgroundWork, IdlePause
from bespeak.errors import InvalidCursor, InvalidId, NotOwner, PlanChanged
from bespeak.ids import parse_resource, show_resource
from bespeak.lines import Quantity
from bespeak.postgres.queries import load as load_queries
from bespeak.postgres.versions import SeenVersion, save_seen
from bespeak.reservations.errors import PLACING
from bespeak.verticals.stored_places import stored_places
from bespeak.verticals.vertical import (
    SEAM,
    DemoLoad,
    Document,
    Exporter,
    FileFormat,
    Importer,
    ImportProblem,
    ImportReport,
    OwnerRecords,
    Places,
    Progress,
    Vertical,
    VerticalCall,
    VerticalCaller,
    VerticalRequest,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record
else:
    from asyncpg import Connection, Record

__all__ = [
    "BackgroundWork",
    "Connection",
    "DemoLoad",
    "Document",
    "FileFormat",
    "IdlePause",
    "ImportProblem",
    "ImportReport",
    "Exporter",
    "Importer",
    "InvalidCursor",
    "InvalidId",
    "NotOwner",
    "OwnerRecords",
    "PLACING",
    "Places",
    "PlanChanged",
    "Progress",
    "Quantity",
    "Record",
    "SEAM",
    "SeenVersion",
    "Vertical",
    "VerticalCall",
    "VerticalCaller",
    "VerticalRequest",
    "load_queries",
    "parse_resource",
    "save_seen",
    "show_resource",
    "stored_places",
]
