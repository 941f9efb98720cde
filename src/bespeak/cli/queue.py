"""`bespeak queue`: the order of a waiting room, written down for an audit, and computed again by
whoever wants to know.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.admission.audit import CheckedAudit
    from bespeak.engine import Engine

app = App(name="queue", help="Steer a waiting room, check its order, and make invitation codes.")
app.command("bespeak.cli.queue_codes:app", name="codes")
for _verb in ("show", "pause", "resume", "drain", "pace", "challenge", "message", "end"):
    app.command(f"bespeak.cli.queue_steering:{_verb}", name=_verb)
app.command("bespeak.cli.queue_steering:list_all", name="list")
app.command("bespeak.cli.queue_steering:open_room", name="open")


class VerifiedDraw(msgspec.Struct, frozen=True):
    """A draw as it follows from what was told: the place key, and which share of all draws comes
    before it. `is_promised_seed` says whether the seed is the one whose hash was told."""

    place_key: str
    before_share: float
    is_promised_seed: bool


@app.command
def verify(
    *,
    seed: str,
    seed_hash: Annotated[str, Parameter(name="--hash")],
    public_value: str,
    room: str,
    token: str,
    as_json: Json = False,
) -> int:
    """Compute where somebody stands who joined a waiting room before its sale.

    All that it needs was told by the waiting room: nothing is asked of a server. The status is 1
    where the seed is not the one whose hash was told before anybody joined; so it is where the
    opening was taken back since, and the order drawn anew.

    For example:

        bespeak queue verify --seed 5f1e... --hash 9c56... --room wrm_3k7m9p2q5r8t
            --token AQAABj... --public-value "event 4711 before 2026-12-01T08:00:00.000123Z"

    Parameters
    ----------
    seed
        The seed, as it was told at the opening.
    seed_hash
        Its hash, as it was told before.
    public_value
        The public value that was told with it.
    room
        The id of the waiting room.
    token
        The queue token.
    as_json
        Print a JSON object.
    """
    from bespeak.cli.output import answer

    found = _verified(seed, seed_hash, public_value, room, token)
    answer(found, _show, as_json=as_json)
    return 0 if found.is_promised_seed else 1


@app.command
def audit(
    room: str,
    /,
    *,
    output: Annotated[str | None, Parameter(name="--output")] = None,
    database: DatabaseChoice | None = None,
) -> int:
    """Write all that the order of a waiting room follows from, a line of JSON each.

    The room with its seed, every change and who made it, how the fronts moved, and who was let
    in, as digests. `bespeak queue check` computes it again, at anybody's.

    For example:

        bespeak queue audit wrm_3k7m9p2q5r8t --output premiere.jsonl

    Parameters
    ----------
    room
        The id of the waiting room.
    output
        The file. Absent: standard output.
    """
    from bespeak.admission.audit import audit_lines
    from bespeak.cli.plan_files import work_on, written_to

    async def export(engine: Engine) -> None:
        async with engine.database.borrow() as connection:
            lines = audit_lines(connection, room)
            first = await anext(lines)  # before a file is overwritten for no room
            with written_to(output) as file:
                file.write(first)
                async for line in lines:
                    file.write(line)

    work_on(database, export)
    return 0


@app.command
def check(
    file: str,
    /,
    *,
    seed_hash: Annotated[str | None, Parameter(name="--hash")] = None,
    as_json: Json = False,
) -> int:
    """Check the audit of a waiting room: every draw, and that all were let in at their turn.

    Nothing is asked of a server or a database. The status is 1 where something does not agree.

    For example:

        bespeak queue check premiere.jsonl --hash 9c56...

    Parameters
    ----------
    file
        The file that `bespeak queue audit` wrote.
    seed_hash
        The hash of the seed, as it was told before the sale. Absent: that of the file, which was
        written after it.
    as_json
        Print a JSON object.
    """
    from bespeak.admission.audit import check_audit
    from bespeak.cli.output import answer
    from bespeak.errors import InvalidRequest

    try:
        with Path(file).open("rb") as lines:
            found = check_audit(lines, seed_hash)
    except OSError as error:
        raise InvalidRequest(f"{file} cannot be read: {error.strerror}", field="FILE") from error
    answer(found, _show_check, as_json=as_json)
    return 0 if found.is_good else 1


def _show_check(found: CheckedAudit) -> None:
    from bespeak.cli.output import results

    console = results()
    if found.hash_taken_back_at is not None:
        console.print(
            "The hash is that of an opening which was taken back at"
            f" {found.hash_taken_back_at:%Y-%m-%d %H:%M:%S %Z}: the order was drawn anew, by"
            " another seed."
        )
    elif not found.is_promised_seed:
        console.print("The seed is not told, or not the one whose hash was told.")
    elif found.is_hash_told:
        console.print("The seed is the one whose hash was told.")
    else:
        console.print(
            f"The seed fits the hash in the file, {found.seed_hash}: compare that with what was"
            " told before the sale, or name that with --hash."
        )
    if found.taken_back:
        console.print(f"{found.taken_back} openings were taken back before: each was a draw")
    console.print(f"{found.passes} let in, {found.drawn} of them by the draw")
    for count, what in (
        (found.wrong_draws, "have a place that the seed does not give"),
        (found.early_turns, "were let in before their turn"),
        (found.fronts_back, "fronts went back"),
    ):
        if count:
            console.print(f"{count} {what}")


def _verified(seed: str, told_hash: str, public_value: str, room: str, token: str) -> VerifiedDraw:
    """Raises InvalidRequest, QueueTokenInvalid."""
    from bespeak.admission.place_keys import FIRST_LATE, draw_of, seed_hash, show_key
    from bespeak.admission.queue_tokens import unverified
    from bespeak.errors import InvalidRequest

    try:
        secret = bytes.fromhex(seed)
    except ValueError as error:
        raise InvalidRequest("a seed is hexadecimal digits", field="seed") from error
    key = draw_of(secret, public_value, room, unverified(token).subject)
    return VerifiedDraw(show_key(key), key / FIRST_LATE, seed_hash(secret) == told_hash.lower())


def _show(found: VerifiedDraw) -> None:
    from bespeak.cli.output import results

    console = results()
    if found.is_promised_seed:
        console.print("The seed is the one whose hash was told.")
    else:
        console.print(
            "This is not the seed whose hash was told: either the opening was taken back, which"
            " the waiting room tells everybody with the draw of then, or the promise was broken."
        )
    console.print(
        f"place key {found.place_key}: {found.before_share:.4%} of the draws are before it"
    )
