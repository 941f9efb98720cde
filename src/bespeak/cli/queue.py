"""`bespeak queue`: the order of a waiting room, computed again by whoever wants to know."""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from bespeak.cli.options import Json

app = App(name="queue", help="Check the order of a waiting room.")


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
    where the seed is not the one whose hash was told before anybody joined.

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
        console.print("This is not the seed whose hash was told.")
    console.print(
        f"place key {found.place_key}: {found.before_share:.4%} of the draws are before it"
    )
