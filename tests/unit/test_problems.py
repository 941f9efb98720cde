"""Problem documents that no scenario brings about."""

from bespeak.errors import Overloaded
from bespeak.http.server.problems import problem_answer
from bespeak.payments.providers.provider import ProviderUnavailable


def retry_after(error: Exception) -> bytes | None:
    assert isinstance(error, ProviderUnavailable | Overloaded)
    return dict(problem_answer(error, "r").headers).get(b"retry-after")


def test_whatever_is_to_be_repeated_later_says_when() -> None:
    """The document promises it of each 429 and 503; not every error knows a time."""
    assert retry_after(ProviderUnavailable("no answer")) == b"5"
    assert retry_after(Overloaded(retry_after_seconds=2)) == b"2"
