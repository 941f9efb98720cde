"""Pools and products: what a line draws, codes that stay secret, and what is shown as left."""

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line, NotOnSale, PoolPlan
from bespeak.errors import UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Need
from bespeak.inventory.shapes.pools.plan import Code, PoolsPlan, Product, ProductDraw
from bespeak.inventory.shapes.pools.rules import CompiledPools
from bespeak.lines import Best
from tests.unit.ledger import RESOURCE, SALE, Ledger
from tests.unit.plan_pages import VERSION, answer_block, plan_blocks

CODES = (None, "FAN", "PRESS", "nobody's")
QUERY = AvailabilityQuery()


def line(unit: str, quantity: int | None = None, code: str | None = None) -> Line:
    return Line(RESOURCE, unit, quantity, code=msgspec.UNSET if code is None else code)


@st.composite
def plans(draw: st.DrawFn) -> PoolsPlan:
    pools = [PoolPlan(name, draw(st.integers(0, 12))) for name in ("hall", "front", "park")]
    draws = st.builds(
        ProductDraw, pool=st.sampled_from(["hall", "front", "park"]), each=st.integers(1, 3)
    )
    products = [
        Product(
            name,
            tuple(draw(st.lists(draws, min_size=1, max_size=4))),
            price=draw(st.none() | st.integers(0, 300)),
            max_per_line=draw(st.none() | st.integers(1, 5)),
            needs_code=draw(st.booleans()),
        )
        for name in ("early", "late", "family")[: draw(st.integers(0, 3))]
    ]
    sells = draw(st.booleans())
    names = [product.name for product in products]
    names += [pool.unit for pool in pools] if sells or not products else []
    codes = [
        Code(code, draw(st.integers(0, 6)), tuple(draw(st.lists(st.sampled_from(names)))))
        for code in ("FAN", "PRESS")
        if draw(st.booleans())
    ]
    return PoolsPlan(tuple(pools), tuple(products), tuple(codes), sells)


requests = st.lists(
    st.tuples(
        st.sampled_from(["early", "late", "family", "hall", "front", "park"]),
        st.integers(1, 4),
        st.sampled_from(CODES),
    ),
    max_size=12,
)


class Naive:
    """A plan of pools by its words: counters, and nothing else."""

    def __init__(self, plan: PoolsPlan) -> None:
        self.plan = plan
        self.left = {pool.unit: pool.capacity for pool in plan.pools}
        self.codes = {code.code: code.capacity for code in plan.codes}

    def sells(self, unit: str, quantity: int, code: str | None) -> bool:
        """Whether the rules sell it, whatever is left."""
        product = {one.name: one for one in self.plan.products}.get(unit)
        sells_pools = self.plan.sell_pools or not self.plan.products
        if product is None and not (sells_pools and unit in self.left):
            return False
        if product is not None:
            if quantity > (product.max_per_line or quantity):
                return False
            if product.needs_code and code is None:
                return False
        known = {one.code: one for one in self.plan.codes}
        if code is None:
            return True
        return code in known and (not known[code].products or unit in known[code].products)

    def draw(self, unit: str, quantity: int, code: str | None) -> bool:
        product = {one.name: one for one in self.plan.products}.get(unit)
        draws = [(unit, 1)] if product is None else [(d.pool, d.each) for d in product.draws]
        left = dict(self.left)
        for pool, each in draws:
            left[pool] -= each * quantity
        codes = dict(self.codes)
        if code is not None:
            codes[code] -= quantity
        if min(left.values()) < 0 or min(codes.values(), default=0) < 0:
            return False
        self.left, self.codes = left, codes
        return True


@given(plans(), requests)
def test_products_draw_as_counters_would(
    plan: PoolsPlan, asked: list[tuple[str, int, str | None]]
) -> None:
    compiled = CompiledPools(plan)
    ledger, naive = Ledger(compiled), Naive(plan)
    for unit, quantity, code in asked:
        if naive.sells(unit, quantity, code):
            one = line(unit, quantity, code)
            assert ledger.hold([one]) == naive.draw(unit, quantity, code)
        else:
            with pytest.raises((InvalidRequest, NotOnSale)):
                compiled.line_claims(line(unit, quantity, code), SALE)
    shown = compiled.reader.answer(QUERY, ledger.picture, SALE)
    assert {name: pool.available for name, pool in shown.pools.items()} == naive.left


@given(plans(), requests)
def test_what_is_shown_as_left_can_be_held_and_no_more(
    plan: PoolsPlan, asked: list[tuple[str, int, str | None]]
) -> None:
    compiled = CompiledPools(plan)
    ledger, naive = Ledger(compiled), Naive(plan)
    for unit, quantity, code in asked:
        if naive.sells(unit, quantity, code):
            ledger.hold([line(unit, quantity, code)])
    shown = compiled.reader.answer(QUERY, ledger.picture, SALE)
    levels = {name: (one.available, one.reason) for name, one in shown.products.items()}
    levels |= {
        name: (pool.available, pool.reason)
        for name, pool in shown.pools.items()
        if pool.price is not None
    }
    for name, (available, reason) in levels.items():
        most = shown.products[name].max_per_line if name in shown.products else None
        for quantity in (1, available, available + 1):
            if quantity == 0 or quantity > (most or quantity):
                continue
            if reason == "code_needed" or (
                name in shown.products and shown.products[name].needs_code
            ):
                with pytest.raises(NotOnSale):
                    ledger.fits([line(name, quantity)])
            else:
                assert ledger.fits([line(name, quantity)]) == (quantity <= available)
        assert (reason == "sold_out") == (available == 0)


@given(plans(), requests, st.integers(0, 4))
def test_every_offer_can_be_held_and_is_another(
    plan: PoolsPlan, asked: list[tuple[str, int, str | None]], count: int
) -> None:
    compiled = CompiledPools(plan)
    ledger = Ledger(compiled)
    for unit, quantity, code in asked:
        wanted = line(unit, quantity, code)
        offers = compiled.offers(wanted, ledger.picture, SALE, count)
        assert len(offers) <= count
        for offer in offers:
            assert offer != [wanted]
            assert ledger.fits(offer)
        texts = [msgspec.json.encode(offer) for offer in offers]
        assert len(set(texts)) == len(texts)
        if Naive(plan).sells(unit, quantity, code):
            ledger.hold([wanted])


AREA = PoolPlan("area", 100)
EARLY = Product("early", (ProductDraw("area"), ProductDraw("quota", 2), ProductDraw("area")))
PLAN = PoolsPlan(
    (AREA, PoolPlan("quota", 40)),
    (
        EARLY,
        Product("late", (ProductDraw("area"),), price=700, max_per_line=4),
        Product("vip", (ProductDraw("area"),), price=90, needs_code=True),
    ),
    (Code("FAN", 5, ("vip", "late")), Code("ALL", 3)),
)
COMPILED = CompiledPools(PLAN)


def test_a_line_has_one_claim_for_each_pool_in_the_order_of_the_plan() -> None:
    meant = COMPILED.line_claims(line("early", 3), SALE)
    assert list(meant.needs) == [Need("area", 6, 100), Need("quota", 6, 40)]
    assert (meant.amount, meant.weight) == (300, 3)


def test_a_code_is_a_claim_like_the_others() -> None:
    meant = COMPILED.line_claims(line("late", 2, "FAN"), SALE)
    assert list(meant.needs) == [Need("area", 2, 100), Need("code:FAN", 2, 5)]
    assert (meant.amount, meant.line.code) == (1400, "FAN")


def test_one_is_meant_where_no_quantity_is_said() -> None:
    meant = COMPILED.line_claims(line("late"), SALE)
    assert (meant.line.quantity, meant.needs[0].quantity) == (1, 1)


def test_all_wrong_codes_have_one_answer() -> None:
    answers = []
    for code in ("FAN", "nobody's", "", "x" * 200):
        with pytest.raises(NotOnSale) as caught:
            COMPILED.line_claims(line("early", 1, code), SALE)
        answers.append(caught.value.data)
    with pytest.raises(NotOnSale) as caught:
        COMPILED.line_claims(line("vip", 1), SALE)
    assert all(answer["reasons"] == answers[0]["reasons"] for answer in answers)
    assert caught.value.data["reasons"] == [{"reason": "code_needed", "unit": "vip"}]


def test_codes_stand_in_no_answer() -> None:
    ledger = Ledger(COMPILED)
    assert ledger.hold([line("vip", 2, "FAN")])
    shown = COMPILED.reader.answer(QUERY, ledger.picture, SALE)
    for secret in ("FAN", "ALL", "code:"):
        assert secret not in msgspec.json.encode(shown).decode()
        assert secret not in msgspec.json.encode(PLAN.without_secrets()).decode()
    assert COMPILED.availability_units(QUERY, SALE) == ["area", "quota"]
    without = CompiledPools(PLAN.without_secrets())
    assert without.reader.answer(QUERY, ledger.picture, SALE) == shown


def test_only_who_names_a_code_looks_at_it() -> None:
    assert COMPILED.watched(line("vip", 1), SALE) == ["area", "quota"]
    assert COMPILED.watched(line("vip", 1, "nobody's"), SALE) == ["area", "quota"]
    assert COMPILED.watched(line("vip", 1, "FAN"), SALE) == ["area", "quota", "code:FAN"]


def test_the_nearest_price_is_offered_first_and_the_rest_of_it_last() -> None:
    plan = PoolsPlan(
        (PoolPlan("a", 3), PoolPlan("b", 9), PoolPlan("c", 9)),
        (
            Product("a", (ProductDraw("a"),), price=500),
            Product("dear", (ProductDraw("b"),), price=900),
            Product("near", (ProductDraw("c"),), price=450),
        ),
    )
    with pytest.raises(InvalidRequest, match="a pool and a product"):
        CompiledPools(plan)
    plan = msgspec.structs.replace(
        plan, products=(msgspec.structs.replace(plan.products[0], name="cheap"), *plan.products[1:])
    )
    compiled = CompiledPools(plan)
    found = compiled.offers(line("cheap", 4), Ledger(compiled).picture, SALE, 10)
    assert found == [[line("near", 4)], [line("dear", 4)], [line("cheap", 3)]]


def test_a_code_that_is_used_up_is_offered_without_itself() -> None:
    ledger = Ledger(COMPILED)
    assert ledger.hold([line("vip", 5, "FAN")])
    assert not ledger.fits([line("late", 2, "FAN")])
    found = COMPILED.offers(line("late", 2, "FAN"), ledger.picture, SALE, 1)
    assert found == [[line("late", 2)]]


def test_no_more_is_offered_than_a_line_may_have() -> None:
    plan = PoolsPlan(
        (PoolPlan("hall", 5),), (Product("pass", (ProductDraw("hall"),), max_per_line=2),)
    )
    ledger = Ledger(CompiledPools(plan))
    assert ledger.plan.offers(line("pass", 9), ledger.picture, SALE, 3) == [[line("pass", 2)]]


def test_a_query_is_of_one_unit_or_of_all() -> None:
    ledger = Ledger(COMPILED)
    one = COMPILED.reader.answer(AvailabilityQuery(unit="late", quantity=101), ledger.picture, SALE)
    assert (list(one.pools), list(one.products)) == (["area"], ["late"])
    assert (one.products["late"].available, one.products["late"].reason) == (100, "sold_out")
    pool = COMPILED.reader.answer(AvailabilityQuery(unit="quota"), ledger.picture, SALE)
    assert (list(pool.pools), list(pool.products)) == (["quota"], [])
    assert pool.pools["quota"].price is None  # it is sold with products only


@pytest.mark.parametrize(
    "query",
    [
        AvailabilityQuery(from_="2026-12-24"),
        AvailabilityQuery(to="B"),
        AvailabilityQuery(quantity=0),
        AvailabilityQuery(unit="code:FAN"),
        AvailabilityQuery(unit="FAN"),
    ],
)
def test_a_query_that_makes_no_sense(query: AvailabilityQuery) -> None:
    with pytest.raises(InvalidRequest):
        COMPILED.availability_units(query, SALE)
    with pytest.raises(InvalidRequest):
        COMPILED.reader.answer(query, Ledger(COMPILED).picture, SALE)


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        (Line(RESOURCE), "lines"),
        (Line(RESOURCE, "early", from_="A", to="B"), "lines.from"),
        (Line(RESOURCE, "early", best=Best(2)), "lines.best"),
        (Line(RESOURCE, next=2), "lines.next"),
        (line("late", 5), "lines.quantity"),
        (line("early\n", 1), "lines"),
    ],
)
def test_a_line_that_makes_no_sense(wanted: Line, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        COMPILED.line_claims(wanted, SALE)
    assert caught.value.data["field"] == field


@pytest.mark.parametrize("unit", ["area", "code:FAN", "FAN", "Early", "owner:asha"])
def test_a_unit_that_is_not_sold(unit: str) -> None:
    with pytest.raises(UnknownUnit):
        COMPILED.line_claims(line(unit, 1), SALE)
    assert COMPILED.offers(line(unit, 1), Ledger(COMPILED).picture, SALE, 3) == []


def test_pools_are_sold_where_the_plan_says_so() -> None:
    for plan in (
        msgspec.structs.replace(PLAN, sell_pools=True),
        msgspec.structs.replace(PLAN, products=(), codes=()),
    ):
        meant = CompiledPools(plan).line_claims(line("area", 2), SALE)
        assert (list(meant.needs), meant.amount) == ([Need("area", 2, 100)], 200)
        assert meant.line.is_plain


def test_a_block_takes_pools_or_what_a_product_draws() -> None:
    assert COMPILED.block_needs(line("area", 7), SALE) == [Need("area", 7, 100)]
    assert COMPILED.block_needs(line("vip", 2), SALE) == [Need("area", 2, 100)]
    assert COMPILED.block_needs(line("late", 50), SALE) == [Need("area", 50, 100)]
    for wrong in (line("area"), line("code:FAN", 1), line("late", 10**9, "FAN"), Line(RESOURCE)):
        with pytest.raises(InvalidRequest):
            COMPILED.block_needs(wrong, SALE)
    with pytest.raises(InvalidRequest):
        COMPILED.block_needs(line("early", 1_500_000_000), SALE)


def test_claims_of_the_plan() -> None:
    assert all(COMPILED.has(unit) for unit in ("area", "quota", "code:FAN", "code:ALL"))
    assert not any(COMPILED.has(unit) for unit in ("early", "code:", "code:fan", "FAN", ""))


POOL = PoolPlan("p", 1)
DRAW = (ProductDraw("p"),)
NONSENSE = [
    PoolsPlan(()),
    PoolsPlan((POOL, POOL)),
    PoolsPlan((PoolPlan("owner:asha", 1),)),
    PoolsPlan((PoolPlan("code:FAN", 1),)),
    PoolsPlan((PoolPlan("p", -1),)),
    PoolsPlan((PoolPlan("", 1),)),
    PoolsPlan((POOL,), (Product("p", DRAW),)),
    PoolsPlan((POOL,), (Product("a", DRAW), Product("a", DRAW))),
    PoolsPlan((POOL,), (Product("a", ()),)),
    PoolsPlan((POOL,), (Product("next:a", DRAW),)),
    PoolsPlan((POOL,), (Product("a", (ProductDraw("q"),)),)),
    PoolsPlan((POOL,), (Product("a", (ProductDraw("p", 0),)),)),
    PoolsPlan((POOL,), (Product("a", (ProductDraw("p", 600), ProductDraw("p", 600))),)),
    PoolsPlan((POOL,), (Product("a", DRAW, price=-1),)),
    PoolsPlan((POOL,), (Product("a", DRAW, price=10**30),)),
    PoolsPlan((POOL,), (Product("a", DRAW, max_per_line=0),)),
    PoolsPlan((POOL,), (Product("a", DRAW),), (Code("X", 1), Code("X", 2))),
    PoolsPlan((POOL,), (Product("a", DRAW),), (Code("X", -1),)),
    PoolsPlan((POOL,), (Product("a", DRAW),), (Code("X", 1, ("p",)),)),
    PoolsPlan((POOL,), (Product("a", DRAW),), (Code("X\x00", 1),)),
    PoolsPlan((POOL,), (Product("a", DRAW),), (Code("\ud800", 1),)),
]


@pytest.mark.parametrize("plan", NONSENSE, ids=range(len(NONSENSE)))
def test_a_plan_that_makes_no_sense(plan: PoolsPlan) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CompiledPools(plan)
    assert caught.value.data == {"field": "plan"}


@given(plans())
def test_a_plan_is_read_as_it_was_written(plan: PoolsPlan) -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan), type=PoolsPlan) == plan
    public = plan.without_secrets()
    assert public.codes == () and public.pools == plan.pools
    CompiledPools(public)


def test_the_page_shows_plans_that_make_sense() -> None:
    blocks = plan_blocks("pools")
    assert blocks
    for text in blocks:
        CompiledPools(msgspec.json.decode(text, type=PoolsPlan))


def test_products_share_a_quota_by_drawing_one_pool() -> None:
    plan = PoolsPlan(
        (PoolPlan("hall", 10), PoolPlan("reduced", 3)),
        (
            Product("adult", (ProductDraw("hall"),)),
            Product("child", (ProductDraw("hall"), ProductDraw("reduced"))),
            Product("student", (ProductDraw("hall"), ProductDraw("reduced"))),
        ),
    )
    for children, students in itertools.product(range(5), repeat=2):
        ledger = Ledger(CompiledPools(plan))
        wanted = [line("child", children)] * bool(children)
        wanted += [line("student", students)] * bool(students)
        assert ledger.fits(wanted) == (children + students <= 3)


def test_the_page_shows_what_is_answered() -> None:
    compiled = CompiledPools(msgspec.json.decode(plan_blocks("pools")[1], type=PoolsPlan))
    ledger = Ledger(compiled)
    ledger.picture.version = VERSION
    assert ledger.hold([line("child", 200), line("family", 10)])
    answer = compiled.reader.answer(QUERY, ledger.picture, SALE)
    assert msgspec.to_builtins(answer) == answer_block("pools")
