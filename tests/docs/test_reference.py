"""The reference is complete, and says nothing that is not there."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect
from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase

import bespeak
from bespeak.errors import BespeakError
from bespeak.feed.reader import Event
from bespeak.settings import Settings
from bespeak.states import EventKind
from tests.docs.pages import DOCS, ROOT, code, prose, rows, sections, table

REFERENCE = DOCS / "reference"
SOURCES = ROOT / "src" / "bespeak"


def everything() -> None:
    """Imports the whole package, so that every error and metric is known."""
    for module in pkgutil.walk_packages(bespeak.__path__, "bespeak."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


everything()


def family(root: type[BespeakError]) -> Iterator[type[BespeakError]]:
    """Every error that ships and has a code of its own (the tests define errors too)."""
    if root.__module__.startswith("bespeak") and "code" in vars(root):
        yield root
    for child in root.__subclasses__():
        yield from family(child)


ERRORS = {error.code: error for error in family(BespeakError)}


def test_every_error_is_documented_and_no_other() -> None:
    documented = table(REFERENCE / "errors.md", "code")
    documented.pop("40001", None)
    assert set(documented) == set(ERRORS)


@pytest.mark.parametrize("error", ERRORS.values(), ids=lambda error: error.code)
def test_an_error_is_documented_as_it_is(error: type[BespeakError]) -> None:
    status, sqlstate, retry, *_ = table(REFERENCE / "errors.md", "code")[error.code]
    own = vars(error).get("sqlstate")
    assert status == str(error.status)
    assert sqlstate == (own or "none")
    assert retry == ("yes" if error.retryable else "no")


def test_every_sqlstate_of_the_functions_is_an_error() -> None:
    raised = {
        state
        for file in SOURCES.rglob("*.sql")
        for state in re.findall(r"['\"](BS\d{3})['\"]", file.read_text())
    }
    assert raised
    assert raised <= {vars(error).get("sqlstate") for error in ERRORS.values()}
    named = set(re.findall(r"BS\d{3}", (REFERENCE / "sql.md").read_text()))
    assert named <= raised


def test_every_setting_is_documented_and_no_other() -> None:
    read = {
        name
        for file in SOURCES.rglob("*.py")
        for name in re.findall(r"\bBESPEAK_[A-Z]+(?:_[A-Z]+)*\b", file.read_text())
        if not name.startswith("BESPEAK_TEST")
    }
    settings = {f"BESPEAK_{name.upper()}" for name in Settings.__struct_fields__}
    assert set(table(REFERENCE / "settings.md", "variable")) == settings | read


@pytest.mark.parametrize("field", msgspec.structs.fields(Settings), ids=lambda field: field.name)
def test_a_setting_is_documented_as_it_is(field: msgspec.structs.FieldInfo) -> None:
    variable = f"BESPEAK_{field.name.upper()}"
    default, bounds, _ = table(REFERENCE / "settings.md", "variable")[variable]
    words = {None: "none", "": "empty"}
    assert default.strip("`") == words.get(field.default, str(field.default))
    kind = inspect.type_info(field.type)
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        assert bounds == f"{kind.ge:g} to {_plain(kind.le)}"
    else:
        assert bounds == ""


def _plain(number: float | None) -> str:
    return str(int(number)) if number is not None and number == int(number) else str(number)


def test_every_setting_that_pages_name_exists() -> None:
    known = set(table(REFERENCE / "settings.md", "variable"))
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        named = set(re.findall(r"\bBESPEAK_[A-Z_]*[A-Z]\b", page.read_text()))
        assert named <= known, page


def test_every_metric_is_documented_and_no_other() -> None:
    known: dict[str, tuple[str, set[str]]] = {}
    from bespeak.http.server import metrics

    for made in vars(metrics).values():
        if isinstance(made, MetricWrapperBase):
            (described,) = made.describe()
            name = f"{described.name}_total" if described.type == "counter" else described.name
            known[name] = (described.type, set(made._labelnames))
    known[metrics.CONFIRM_RATIO] = ("gauge", set())
    registered = {m.name for m in REGISTRY.collect() if m.name.startswith("bespeak_")}
    assert registered == {name.removesuffix("_total") for name in known} - {metrics.CONFIRM_RATIO}

    documented = {
        name: (kind, set(code(labels)))
        for name, (kind, labels, _) in table(REFERENCE / "metrics.md", "metric").items()
    }
    assert documented == known


def test_every_metric_that_pages_name_exists() -> None:
    known = set(table(REFERENCE / "metrics.md", "metric"))
    others = {"bespeak_feed"}  # a package
    others |= {"bespeak_guest", "bespeak_console", "bespeak_sign_in", "bespeak_written"}  # cookies
    others.add("bespeak_place_")
    others |= {"bespeak_owner", "bespeak_lines_0"}  # as above
    others |= {f"bespeak_{what}_id" for what in ("hold", "payment", "refund")}  # fields of Stripe's
    for page in DOCS.rglob("*.md"):
        for name in re.findall(r"\bbespeak_[a-z_]+\b", prose(page)):
            plain = re.sub(r"_(bucket|sum|count)$", "", name)
            assert plain in known | others, f"{page}: {name}"


def test_every_event_kind_and_field_is_documented() -> None:
    page = REFERENCE / "feed.md"
    assert set(table(page, "kind")) == {kind.value for kind in EventKind}
    assert set(table(page, "field")) == set(Event.__struct_fields__)


def test_every_public_name_is_documented_and_no_other() -> None:
    page = DOCS / "guides" / "library.md"
    listed: list[str] = []
    for title, text in sections(page):
        if title == "The public names":
            listed = [name for row in rows(text)[1:] for name in code(row[0])]
    assert sorted(listed) == sorted(bespeak.__all__)


def test_every_verb_of_the_engine_is_in_the_guide() -> None:
    text = (DOCS / "guides" / "library.md").read_text()
    members = [name for name in dir(bespeak.Engine) if not name.startswith("_")]
    verbs = [name for name in members if callable(getattr(bespeak.Engine, name))]
    assert [verb for verb in verbs if f"{verb}(" not in text] == []


def test_every_benchmark_is_documented_and_no_other() -> None:
    from benchmarks.cases import CASES

    assert set(table(DOCS / "guides" / "benchmarks.md", "case")) == set(CASES)
    performance = DOCS / "explanation" / "performance.md"
    titles = [title for title, _ in sections(performance)]
    assert [title for title in titles if title in CASES] == list(CASES)


def test_every_row_of_the_guard_is_documented_and_no_other() -> None:
    from benchmarks.guard.rows import ROWS

    assert set(table(DOCS / "guides" / "benchmarks.md", "row")) == set(ROWS)


def test_every_page_is_reached_from_the_index() -> None:
    index = (DOCS / "index.md").read_text()
    missing = [
        str(page.relative_to(DOCS))
        for page in sorted(DOCS.rglob("*.md"))
        if page.name != "index.md" and f"({page.relative_to(DOCS)})" not in index
    ]
    assert missing == []


def test_pages_are_files_that_the_tests_see() -> None:
    assert Path(DOCS / "tutorial" / "first-hold.md").exists()
