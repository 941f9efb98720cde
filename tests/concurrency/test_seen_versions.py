"""Two who save the same thing whole at the same instant, or one who saves it and one who takes it
away, for the same version: one does it, the other is told. And how it is without the guards.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from bespeak.errors import VersionMismatch
from bespeak.payments.accounts import setting
from bespeak.payments.accounts.account import QUERIES, KeptAccount, kept_accounts
from bespeak.payments.accounts.setting import end_seen
from bespeak.postgres.queries import load
from bespeak.postgres.versions import NOTHING, remove_seen, save_seen
from tests.concurrency.waiting import meet
from tests.harness.database import Connection

MAIL = "bespeak.notifications.mail"
# The name, both secrets as they are kept, how the key ends, and the publishable key.
SEALED = ("Lantern Hall", b"key", b"secret", "7xQ2", None)


class Whole(NamedTuple):
    """Something that is saved whole: its statements, its key, and what two save of it."""

    save: str
    version: str
    remove: str
    key: tuple[object, ...]
    mine: tuple[object, ...]
    theirs: tuple[object, ...]

    async def saved(self, by: Connection, what: tuple[object, ...], seen: int) -> int:
        key = self.key
        return await save_seen(by, self.save, self.version, key=key, values=what, seen=seen)

    async def removed(self, by: Connection, seen: int | None) -> None:
        await remove_seen(by, self.remove, self.version, key=self.key, seen=seen)

    async def present(self, connection: Connection) -> int:
        return await connection.fetchval(self.version, *self.key) or NOTHING

    def without(self, guard: str) -> Whole:
        """The same without a guard, for controls."""
        assert guard in self.save
        return self._replace(save=self.save.replace(guard, ""))

    def removed_unseen(self) -> Whole:
        """The same, taken away whatever stands there, for a control."""
        seen = f"${len(self.key) + 1}"
        guard = f"bespeak.is_seen({seen}, to_jsonb(t))"
        assert guard in self.remove
        anything = f"({seen}::bigint is null or true)"
        return self._replace(remove=self.remove.replace(guard, anything))


# They are ended by a save of none.
_END_REMINDERS = """delete from bespeak.mail_reminders
    where workspace = $1 and $2::bigint is null returning true"""


def _whole(
    name: str, key: tuple[object, ...], mine: tuple[object, ...], theirs: tuple[object, ...]
) -> Whole:
    queries = load(MAIL, f"{name}.sql")
    remove = queries["remove"] if name != "reminders" else _END_REMINDERS
    return Whole(queries["set"], queries["version"], remove, key, mine, theirs)


SERVER = (587, "starttls", "", None, "box@lantern.example")
WHOLES = {
    "texts": _whole("texts", ("default", "refunded", "en"), ("", "", "mine"), ("", "", "theirs")),
    "reminders": _whole("reminders", ("default",), ([24],), ([48],)),
    "servers": _whole("servers", (), ("mine.example", *SERVER), ("theirs.example", *SERVER)),
}
NUMBERS = {"texts": 7, "reminders": 3, "servers": 7}
of_each = pytest.mark.parametrize("name", WHOLES)
of_each_taken_away = pytest.mark.parametrize("name", ["texts", "servers"])


def _of_conflict(name: str) -> str:
    return f"where bespeak.is_seen(${NUMBERS[name]}, to_jsonb(t))\n"


@of_each
@pytest.mark.parametrize("stands", [False, True], ids=["of nothing", "of what stands"])
async def test_of_two_who_saw_the_same_one_saves(
    name: str, stands: bool, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name]
    seen = await whole.saved(connection, whole.mine, NOTHING) if stands else NOTHING
    first, second = (whole.theirs, whole.mine) if stands else (whole.mine, whole.theirs)
    doing = whole.saved(one, first, seen)
    answer = await meet(connection, one, doing, two, whole.saved(two, second, seen))
    present = await whole.present(connection)
    assert isinstance(answer, VersionMismatch)
    assert answer.data["version"] == present != seen
    assert await whole.saved(connection, first, present) == present  # what the first has said


@of_each
async def test_control_without_the_guard_the_second_wins_silently(
    name: str, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name].without(_of_conflict(name))
    doing = whole.saved(one, whole.mine, NOTHING)
    answer = await meet(connection, one, doing, two, whole.saved(two, whole.theirs, NOTHING))
    assert answer == await whole.present(connection)


@of_each
async def test_what_is_taken_away_at_that_instant_is_not_written_again(
    name: str, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name]
    seen = await whole.saved(connection, whole.mine, NOTHING)
    doing = whole.removed(one, None)
    answer = await meet(connection, one, doing, two, whole.saved(two, whole.theirs, seen))
    assert isinstance(answer, VersionMismatch)
    assert await whole.present(connection) == NOTHING


@of_each
async def test_control_without_the_lock_it_is_written_again(
    name: str, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name].without(" for update")
    seen = await whole.saved(connection, whole.mine, NOTHING)
    doing = whole.removed(one, None)
    answer = await meet(connection, one, doing, two, whole.saved(two, whole.theirs, seen))
    assert answer == await whole.present(connection) != NOTHING


@of_each_taken_away
async def test_what_is_saved_at_that_instant_is_not_taken_away(
    name: str, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name]
    seen = await whole.saved(connection, whole.mine, NOTHING)
    doing = whole.saved(one, whole.theirs, seen)
    answer = await meet(connection, one, doing, two, whole.removed(two, seen))
    present = await whole.present(connection)
    assert isinstance(answer, VersionMismatch)
    assert answer.data["version"] == present not in (seen, NOTHING)
    await whole.removed(connection, present)
    assert await whole.present(connection) == NOTHING


@of_each_taken_away
async def test_control_without_the_guard_it_is_taken_away_silently(
    name: str, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name].removed_unseen()
    seen = await whole.saved(connection, whole.mine, NOTHING)
    doing = whole.saved(one, whole.theirs, seen)
    assert await meet(connection, one, doing, two, whole.removed(two, seen)) is None
    assert await whole.present(connection) == NOTHING


@of_each_taken_away
async def test_of_two_who_take_the_same_away_neither_is_refused(
    name: str, connection: Connection, one: Connection, two: Connection
) -> None:
    whole = WHOLES[name]
    seen = await whole.saved(connection, whole.mine, NOTHING)
    doing = whole.removed(one, seen)
    assert await meet(connection, one, doing, two, whole.removed(two, seen)) is None
    assert await whole.present(connection) == NOTHING


async def _added(connection: Connection) -> KeptAccount:
    """An account at which buyers pay."""
    await connection.execute(QUERIES["add"], "acct_1Lantern", False, *SEALED)
    (account,) = await kept_accounts(connection)
    return account


async def _renewed(by: Connection, account: KeptAccount) -> None:
    """As `set_account` does it: under the lock."""
    await by.execute(QUERIES["lock"])
    await by.execute(QUERIES["renew"], account.number, *SEALED[:-2], "9yR3", None)


async def test_an_account_that_gets_another_key_at_that_instant_is_not_ended(
    connection: Connection, one: Connection, two: Connection
) -> None:
    account = await _added(connection)
    doing = _renewed(one, account)
    answer = await meet(connection, one, doing, two, end_seen(two, account.version))
    (present,) = await kept_accounts(connection)
    assert isinstance(answer, VersionMismatch)
    assert answer.data["version"] == present.version != account.version
    assert present.ended_at is None
    async with connection.transaction():
        await end_seen(connection, present.version)
    (present,) = await kept_accounts(connection)
    assert present.ended_at is not None


async def test_control_without_the_lock_it_is_ended_silently(
    connection: Connection, one: Connection, two: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await _added(connection)
    unlocked = {**QUERIES, "lock": "select"}
    monkeypatch.setattr(setting, "QUERIES", unlocked)
    doing = _renewed(one, account)
    answer = await meet(connection, one, doing, two, end_seen(two, account.version))
    (present,) = await kept_accounts(connection)
    assert answer is None and present.ended_at is not None and present.key_ends_with == "9yR3"


async def test_of_two_who_end_the_same_account_neither_is_refused(
    connection: Connection, one: Connection, two: Connection
) -> None:
    account = await _added(connection)
    doing = end_seen(one, account.version)
    assert await meet(connection, one, doing, two, end_seen(two, account.version)) is None
