"""Where a relay sends to, as a URL."""

import pytest

from bespeak.errors import InvalidSetting
from bespeak.relay.targets import Target, parse_target


def test_targets() -> None:
    assert parse_target("kafka://127.0.0.1:9092/bookings") == Target(
        "kafka", False, ("127.0.0.1:9092",), "bookings"
    )
    assert parse_target("nats+tls://asha:p%40ss@a.example:4222,b.example:4222/one.two") == Target(
        "nats", True, ("a.example:4222", "b.example:4222"), "one.two", "asha", "p@ss"
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "bookings",
        "http://127.0.0.1:9092/bookings",
        "kafka+ssh://127.0.0.1:9092/bookings",
        "kafka://127.0.0.1:9092",
        "kafka://127.0.0.1:9092/",
        "kafka://127.0.0.1:9092/a/b",
        "kafka://127.0.0.1:9092/a?b=c",
        "kafka://127.0.0.1/bookings",
        "kafka://127.0.0.1:0/bookings",
        "kafka://127.0.0.1:99999/bookings",
        "kafka://:9092/bookings",
        "kafka://[::1/bookings",
        "kafka://" + ",".join(["a:1"] * 21) + "/bookings",
    ],
)
def test_what_is_no_target_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        parse_target(url.replace("//", "//asha:secret@"))
    assert "secret" not in str(caught.value)
    assert caught.value.data["variable"] == "BESPEAK_RELAY_TO"
