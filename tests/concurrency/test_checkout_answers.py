"""Answers against a confirmation of the same moment: what is answered stands before the booking, or
not at all, also when both come at once.
"""

import asyncio

import msgspec

from bespeak import Engine, ids
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.postgres.queries import load
from bespeak.reservations.checkout_answers import CheckoutAnswer, CheckoutAnswers, answers_of
from tests.concurrency.waiting import until_blocked
from tests.harness.database import Connection
from tests.harness.shows import MakeShow, seats

NOTE = CheckoutQuestion(id="note", text="Anything else?")
_KEEP = load("bespeak.reservations", "checkout_answers.sql")["keep_held"]
_UNGUARDED = _KEEP.replace(" for share", "")


async def test_nothing_is_answered_behind_a_booking(
    engine: Engine, connection: Connection, one: Connection, two: Connection, make_show: MakeShow
) -> None:
    """The confirmation has the row of the hold and commits later. Who answers waits for it, and
    then finds no live hold. Without the guard the answer is written beside the booking."""
    assert _UNGUARDED != _KEEP
    show = await make_show(questions=(NOTE,))
    for unit, statement, is_late in (("A1", _KEEP, False), ("A2", _UNGUARDED, True)):
        hold = await engine.place_hold(owner="asha", lines=seats(show, unit))
        place = (ids.home_of(ids.parse(ids.HOLD, hold.id)), ids.parse(ids.HOLD, hold.id))
        said = CheckoutAnswer(resource_id=show.id, question="note", answer="late")
        keeping = two.execute(statement, *place, msgspec.json.encode([said]).decode())
        async with one.transaction():
            await engine.confirm_hold(hold.id, owner="asha", connection=one)
            writing = asyncio.ensure_future(keeping)
            if is_late:
                await writing
            else:
                await until_blocked(connection, two, one)
        await writing
        assert bool(await answers_of(connection, [place[1]])) is is_late


async def test_the_last_of_many_answers_stands_whole(engine: Engine, make_show: MakeShow) -> None:
    """A page that is open in two tabs sends two sets: one of them stands, not a mixture."""
    show = await make_show(questions=(NOTE, CheckoutQuestion(id="other", text="And?")))
    hold = await engine.place_hold(owner="asha", lines=seats(show, "A1"))
    answers = CheckoutAnswers(engine.database)

    def both(said: str) -> list[CheckoutAnswer]:
        return [
            CheckoutAnswer(resource_id=show.id, question=question, answer=said)
            for question in ("note", "other")
        ]

    await asyncio.gather(
        *(answers.accept(hold.id, "asha", None, both(str(number))) for number in range(20))
    )
    booking = await engine.confirm_hold(hold.id, owner="asha")
    kept = await answers.of_booking(booking)
    assert kept is not None
    assert len({one.answer for one in kept.answers}) == 1
