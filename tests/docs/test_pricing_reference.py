"""Every field of the price rules and of a quote is in the reference, and no other."""

import msgspec
import pytest

from bespeak.pricing.quotes import Quote
from bespeak.pricing.rules import Cancellation, DemandStep, Fee, PriceCode, Pricing, Tax
from tests.docs.pages import DOCS, code, rows, sections

PAGE = DOCS / "reference" / "pricing.md"
SECTIONS = dict(sections(PAGE))
STRUCTS: dict[str, type[msgspec.Struct]] = {
    "Fees": Fee,
    "Taxes": Tax,
    "Steps": DemandStep,
    "Codes": PriceCode,
    "Cancellation": Cancellation,
    "Quote": Quote,
}


@pytest.mark.parametrize("title", STRUCTS)
def test_the_fields_are_documented(title: str) -> None:
    listed = rows(SECTIONS[title])[1:]
    named = {name: "(needed)" in row[0] for row in listed for name in code(row[0])}
    fields = {field.name: field.required for field in msgspec.structs.fields(STRUCTS[title])}
    assert set(named) == set(fields)
    if title != "Quote":
        assert named == fields


def test_each_rule_has_its_section() -> None:
    titles = {name.lower() for name in STRUCTS} - {"quote"}
    assert titles == set(Pricing.__struct_fields__) - {"steps_count"}
    assert "steps_count" in SECTIONS["Steps"]


def test_the_example_makes_sense() -> None:
    text = PAGE.read_text()
    document = text[text.index("```json\n") + 8 :]
    assert msgspec.json.decode(document[: document.index("```")], type=Pricing).fees
