"""What a PaymentIntent carries of ours beside the payment's id: the hold, its owner and its lines,
so that Stripe's record tells what was paid for where ours is lost. Stripe takes 50 keys of up to
500 characters each; whoever has the account may change them, so they are read with distrust.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, takewhile
from typing import Final

import msgspec

from bespeak.lines import Line
from bespeak.payments.providers.provider import Ordered

HOLD_ID: Final = "bespeak_hold_id"
_OWNER: Final = "bespeak_owner"
_LINES: Final = "bespeak_lines_"
_VALUE_MAX: Final = 500
_PARTS_MAX: Final = 40

_decoder: Final = msgspec.json.Decoder(tuple[Line, ...])


def metadata_of(ordered: Ordered) -> dict[str, str]:
    """The keys for an order. Lines that do not fit are left out, all of them: some would pass for
    all."""
    text = msgspec.json.encode(ordered.lines or ()).decode()
    parts = [text[at : at + _VALUE_MAX] for at in range(0, len(text), _VALUE_MAX)]
    lines = {f"{_LINES}{number}": part for number, part in enumerate(parts)}
    kept = lines if len(parts) <= _PARTS_MAX else {}
    return {HOLD_ID: ordered.hold_id, _OWNER: ordered.owner, **kept}


def ordered_of(metadata: Mapping[str, str]) -> Ordered | None:
    """What an intent was ordered for; None where it does not say, or says what makes no sense."""
    hold_id, owner = metadata.get(HOLD_ID), metadata.get(_OWNER)
    if hold_id is None or owner is None:
        return None
    names = takewhile(metadata.__contains__, (f"{_LINES}{number}" for number in count()))
    try:
        lines = _decoder.decode("".join(metadata[name] for name in names))
    except msgspec.MsgspecError:
        return Ordered(hold_id, owner)
    return Ordered(hold_id, owner, lines or None)
