"""What could be held instead of something counted that is used up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import UNSET

from bespeak.inventory.plans import CODE_PREFIX, Chooser, SaleContext
from bespeak.inventory.shapes.pools.goods import Goods
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.refusals import Offer


class PoolsChooser(Chooser):
    def __init__(self, goods: Goods) -> None:
        self._goods = goods

    def watched(self, line: Line, sale: SaleContext) -> list[str]:
        """All the pools, and the line's code."""
        pools = list(self._goods.pools)
        known = line.code is not UNSET and line.code in self._goods.codes
        return [*pools, f"{CODE_PREFIX}{line.code}"] if known else pools

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """The same product without the code, where only that is used up; as many of other products,
        the nearest price first; then the same with as many as are left."""
        return [[offer] for offer in islice(self._instead(line, snapshot, sale), count)]

    def _instead(self, line: Line, snapshot: Snapshot, sale: SaleContext) -> Iterator[Line]:
        goods = self._goods
        name, quantity = line.unit or "", line.quantity or 1
        own = goods.by_name.get(name)
        if own is None:
            return
        code = None if line.code is UNSET else line.code
        if code is not None and goods.has_left(name, None, quantity, snapshot):
            yield Line(line.resource_id, name, quantity)
        price = sale.price if own.price is None else own.price
        far = {
            other: abs((sale.price if good.price is None else good.price) - price)
            for other, good in goods.by_name.items()
            if other != name
        }
        for other in sorted(far, key=far.__getitem__):
            for key in (code, None) if code is not None else (None,):
                if goods.has_left(other, key, quantity, snapshot):
                    yield _line(line.resource_id, other, quantity, key)
                    break
        if goods.admits(name, own, code):
            left = min(goods.left(own, code, snapshot), own.most)
            if 0 < left < quantity:
                yield _line(line.resource_id, name, left, code)


def _line(resource_id: str, unit: str, quantity: int, code: str | None) -> Line:
    return Line(resource_id, unit, quantity, code=UNSET if code is None else code)
