"""A Bespeak server from another program: the verbs, the structs and the errors of the library, over
HTTP. `Client` is for asyncio, `SyncClient` for everything else.
"""

from bespeak.client.answers import ServerUnreachable
from bespeak.client.async_client import Client
from bespeak.client.in_line import InLine
from bespeak.client.requests import MintedToken
from bespeak.client.sync_client import SyncClient
from bespeak.client.webhooks import WebhookEvent, WebhookInvalid, verify

__all__ = [
    "Client",
    "InLine",
    "ServerUnreachable",
    "MintedToken",
    "SyncClient",
    "WebhookEvent",
    "WebhookInvalid",
    "verify",
]
