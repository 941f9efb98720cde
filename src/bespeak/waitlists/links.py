"""Links to one entry, as mails carry them: on any device, whoever has one sees the entry, takes its
offer up, declines or leaves, pays for the hold that was offered, and is nobody by it. The token
names the entry alone; the entry's row says how long it is good, so that no mail is sent anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.postgres.queries import load
from bespeak.postgres.secrets import installation_secret
from bespeak.signed_tokens import TokenInvalid, TokenSigner
from bespeak.waitlists.errors import WaitlistLinkInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from bespeak.postgres.pool import Database

_QUERIES = load("bespeak.waitlists", "links.sql")
_SECRET_NAME = "waitlist_links"  # noqa: S105 (the name of the secret, not its value)
_CLAIM = "waitlist_entry"
SECONDS_AFTER = 3600
"""How long after its entry has ended a link is good: to see how it ended, and get to what was
booked."""


class WaitlistLink(NamedTuple):
    """What a link opens now: an entry of this owner, and the holds that were offered to it."""

    entry: UUID
    owner: str
    holds: frozenset[UUID]

    def check_path(self, names: Mapping[str, str]) -> None:
        """Raises WaitlistLinkInvalid unless a path names just what the link opens; InvalidId. What
        payment it names was judged as the link was opened."""
        for name, text in names.items():
            match name:
                case "entry_id":
                    is_own = ids.parse(ids.WAITLIST_ENTRY, text) == self.entry
                case "hold_id":
                    is_own = ids.parse(ids.HOLD, text) in self.holds
                case _:
                    is_own = name == "payment_id"
            if not is_own:
                raise WaitlistLinkInvalid("the link is to another entry of a waitlist")

    def check_hold(self, hold_id: str | None) -> None:
        """Raises WaitlistLinkInvalid unless this is a hold that was offered; InvalidId."""
        if hold_id is None or ids.parse(ids.HOLD, hold_id) not in self.holds:
            raise WaitlistLinkInvalid("the link is to another entry of a waitlist")


class WaitlistLinks:
    """Makes and reads links to entries. Made by `open_waitlist_links`."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self._database = database
        self._signer = TokenSigner(secret, _CLAIM)

    def token(self, entry: UUID) -> str:
        """What opens the entry."""
        return self._signer.make(**{_CLAIM: ids.show(ids.WAITLIST_ENTRY, entry)})

    async def open(self, token: str, workspace: str, payment_id: str | None = None) -> WaitlistLink:
        """What a token opens now, in this workspace; where a payment is named, one for a hold that
        was offered. Raises WaitlistLinkInvalid; InvalidId of the payment, DatabaseUnavailable."""
        payment = None if payment_id is None else ids.parse(ids.PAYMENT, payment_id)
        try:
            entry = ids.parse(ids.WAITLIST_ENTRY, str(self._signer.read(token)[_CLAIM]))
        except (TokenInvalid, InvalidId) as error:
            raise WaitlistLinkInvalid from error
        home = None if payment is None else ids.home_of(payment)
        # Asked of the primary each time: who has left or was erased opens nothing more.
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(
                _QUERIES["open"], entry, workspace, SECONDS_AFTER, home, payment
            )
        if row is None:
            raise WaitlistLinkInvalid("the link is over")
        if not row["is_its_payment"]:
            raise WaitlistLinkInvalid("the link is to another entry of a waitlist")
        return WaitlistLink(entry, row["owner"], frozenset(row["holds"]))


async def open_waitlist_links(database: Database) -> WaitlistLinks:
    """The links of an installation. Raises DatabaseUnavailable."""
    async with database.borrow() as connection:
        secret = await installation_secret(connection, _SECRET_NAME)
    return WaitlistLinks(database, secret)
