"""Two owners disable each other at the same instant: one stays. And how it is without the lock."""

import pytest

from bespeak.http.server.operators import accounts
from bespeak.http.server.operators.accounts import NewOperator, OperatorChange, OperatorState
from bespeak.http.server.operators.errors import LastOwner
from bespeak.http.server.operators.roles import OperatorRole
from tests.concurrency.waiting import meet
from tests.harness.database import Connection

DISABLED = OperatorChange(state=OperatorState.DISABLED)
DEMOTED = OperatorChange(role=OperatorRole.VIEWER)
ACTIVE = "select count(*) from bespeak.operator where role = 'owner' and state = 'active'"


async def two_owners(connection: Connection) -> list[str]:
    made = []
    for login in ("asha", "bela"):
        wanted = NewOperator(login=login, name=login, role=OperatorRole.OWNER)
        made.append((await accounts.invite(connection, wanted)).id)
    await connection.execute("update bespeak.operator set state = 'active'")
    return made


@pytest.mark.parametrize("change", [DISABLED, DEMOTED], ids=["disabled", "demoted"])
async def test_of_two_owners_who_disable_each_other_one_stays(
    change: OperatorChange, connection: Connection, one: Connection, two: Connection
) -> None:
    asha, bela = await two_owners(connection)
    answer = await meet(
        connection,
        one,
        accounts.change(one, asha, change),
        two,
        accounts.change(two, bela, change),
    )
    assert isinstance(answer, LastOwner)
    assert await connection.fetchval(ACTIVE) == 1


async def test_control_without_the_lock_none_stays(
    connection: Connection, one: Connection, two: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlocked = {
        **accounts._QUERIES,
        "change": accounts._QUERIES["change"].replace("order by operator_id for update", ""),
    }
    assert unlocked["change"] != accounts._QUERIES["change"]
    monkeypatch.setattr(accounts, "_QUERIES", unlocked)
    asha, bela = await two_owners(connection)
    await one.execute("begin")
    await two.execute("begin")
    await accounts.change(one, asha, DISABLED)
    await accounts.change(two, bela, DISABLED)
    await one.execute("commit")
    await two.execute("commit")
    assert await connection.fetchval(ACTIVE) == 0
