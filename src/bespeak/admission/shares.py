"""How places are shared out to several queues."""

from __future__ import annotations

from collections.abc import Sequence


def shared_out(places: int, queues: Sequence[tuple[int, int]]) -> list[int]:
    """So many places for queues, each with its share and how many wait in it: by their shares,
    and what one queue does not need goes to the others. What cannot be parted goes to the
    largest remainders."""
    given = [0] * len(queues)
    left = min(places, sum(waiting for _, waiting in queues))
    while left > 0:
        open_ones = [n for n, (_, waiting) in enumerate(queues) if waiting > given[n]]
        shares = sum(queues[n][0] for n in open_ones)
        parts = {n: left * queues[n][0] / shares for n in open_ones}
        whole = {n: min(int(parts[n]), queues[n][1] - given[n]) for n in open_ones}
        if not any(whole.values()):
            # Less than one for each: one after the other.
            for n in sorted(open_ones, key=lambda n: (-parts[n], n))[:left]:
                given[n] += 1
            break
        for n, count in whole.items():
            given[n] += count
        left -= sum(whole.values())
    return given
