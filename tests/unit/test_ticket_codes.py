"""Ticket codes: what was signed is read again, and nothing else is."""

import base64
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jws
from joserfc.jwk import KeySet, OctKey, OKPKey

from bespeak import ids
from bespeak.ticketing.codes import CODE_LENGTH_MAX, TicketCode, key_named, read, sign
from bespeak.ticketing.errors import TicketCodeInvalid
from bespeak.ticketing.keys import TicketKeys, new_key
from bespeak.ticketing.qr_codes import svg_of

KEYS = TicketKeys({1: new_key()})
HOME = 42
BOOKING = ids.IdMaker().new(HOME)
CODE = TicketCode(BOOKING, 2, HOME, "F7", 1_893_499_200)
PAYLOAD = [ids.show(ids.BOOKING, BOOKING)[4:], 2, ids.show_resource(HOME)[4:], "F7", 1_893_499_200]


def signed(payload: object, key: OKPKey | None = None, **header: object) -> str:
    """A code with another payload or header, signed by the right key or another one."""
    whole = {"alg": "Ed25519", "kid": KEYS.newest_id, **header}
    content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return jws.serialize_compact(whole, content, key or KEYS.newest, algorithms=["Ed25519"])


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


units = st.one_of(st.none(), st.text(st.characters(codec="utf-8"), min_size=1, max_size=200))
begins = st.one_of(st.none(), st.integers(-(2**40), 2**40), st.dates().map(str))


@given(
    st.integers(0, ids.MAX_RESOURCE_NUMBER),
    st.integers(1, 2_000_000_000),
    st.integers(1, ids.MAX_RESOURCE_NUMBER),
    units,
    begins,
)
def test_what_was_signed_is_read_again(
    home: int, ticket: int, resource: int, unit: str | None, begin: int | str | None
) -> None:
    code = TicketCode(ids.IdMaker().new(home), ticket, resource, unit, begin)
    text = sign(code, KEYS)
    assert read(text, KEYS) == code
    assert read(f" {text}\r\n", KEYS) == code  # as some scanners send it
    assert text.isascii()
    assert len(text) <= CODE_LENGTH_MAX
    assert svg_of(text).startswith(b"<svg")  # however long, it fits a QR code


def test_a_usual_code_is_short() -> None:
    assert len(sign(CODE, KEYS)) <= 213  # what a QR code of version 10 holds at level M


def test_any_jose_library_verifies_it_with_the_public_keys() -> None:
    shown = msgspec.to_builtins(KEYS.public())
    found = jws.deserialize_compact(
        sign(CODE, KEYS), KeySet.import_key_set(shown), algorithms=["Ed25519"]
    )
    assert json.loads(found.payload) == PAYLOAD


def test_the_public_keys_are_public() -> None:
    for key in KEYS.public().keys:
        assert set(key.__struct_fields__) == {"kty", "crv", "x", "kid", "alg", "use"}
        assert len(key.x) == 43


def forgeries() -> dict[str, str]:
    good = sign(CODE, KEYS)
    head, body, signature = good.split(".")
    other = OKPKey.generate_key("Ed25519")
    public = KEYS.newest.as_dict(private=False)["x"]
    ours = {"alg": "Ed25519", "kid": KEYS.newest_id}
    no_algorithm = part({"alg": "none", "kid": KEYS.newest_id})
    return {
        "another key under our name": signed(PAYLOAD, other),
        "another installation's": sign(CODE, TicketKeys({1: new_key()})),
        "a key that nobody has": signed(PAYLOAD, other, kid="none"),
        "no key": jws.serialize_compact({"alg": "Ed25519"}, b"[]", other, algorithms=["Ed25519"]),
        "another ticket": f"{head}.{part([*PAYLOAD[:1], 1, *PAYLOAD[2:]])}.{signature}",
        "another unit": f"{head}.{part([*PAYLOAD[:3], 'A1', PAYLOAD[4]])}.{signature}",
        "no signature": f"{head}.{body}.",
        "half a signature": f"{head}.{body}.{signature[:40]}",
        "another signature": f"{head}.{body}.{'A' * len(signature)}",
        "no algorithm": f"{no_algorithm}.{body}.",
        "no algorithm, signed": f"{no_algorithm}.{body}.{signature}",
        "the public key as a secret": jws.serialize_compact(
            {"alg": "HS256", "kid": KEYS.newest_id},
            json.dumps(PAYLOAD),
            OctKey.import_key(str(public)),
        ),
        "critical": f"{part({**ours, 'crit': ['x']})}.{body}.{signature}",
        "a key of a number": f"{part({'alg': 'Ed25519', 'kid': 7})}.{body}.{signature}",
        "a head of a list": f"{part([])}.{body}.{signature}",
        "two parts": f"{head}.{body}",
        "four parts": f"{good}.{signature}",
        "nothing": "",
        "dots": "..",
        "not ASCII": "é.é.é",
        "a zero byte": f"\x00{good}",
        "a lone surrogate": "\ud800.a.b",
        "long": "a" * 100_000,
        "a web address": "https://example.org/win",
    }


@pytest.mark.parametrize("what", forgeries())
def test_a_forged_code_is_refused(what: str) -> None:
    with pytest.raises(TicketCodeInvalid):
        read(forgeries()[what], KEYS)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"nonsense",
        b"\xff",
        {},
        [],
        PAYLOAD[:4],
        [*PAYLOAD, 1],
        ["short", *PAYLOAD[1:]],
        ["z" * 26, *PAYLOAD[1:]],
        [*PAYLOAD[:1], 0, *PAYLOAD[2:]],
        [*PAYLOAD[:1], -1, *PAYLOAD[2:]],
        [*PAYLOAD[:1], 2_000_000_001, *PAYLOAD[2:]],
        [*PAYLOAD[:1], 1.5, *PAYLOAD[2:]],
        [*PAYLOAD[:1], "1", *PAYLOAD[2:]],
        [*PAYLOAD[:2], "res_0000", *PAYLOAD[3:]],
        [*PAYLOAD[:3], 7, PAYLOAD[4]],
        [*PAYLOAD[:4], 1.5],
    ],
)
def test_not_everything_that_is_signed_is_a_code(payload: object) -> None:
    """As if another part of the program came to sign something with this key."""
    assert read(signed(PAYLOAD), KEYS) == CODE
    with pytest.raises(TicketCodeInvalid):
        read(signed(payload), KEYS)


def test_an_old_key_goes_on_verifying_until_it_is_dropped() -> None:
    old, new = new_key(), new_key()
    before = sign(CODE, TicketKeys({1: old}))
    both = TicketKeys({1: old, 2: new})
    assert read(before, both) == CODE
    assert key_named(sign(CODE, both)) == TicketKeys({2: new}).newest_id
    assert [key.kid for key in both.public().keys] == [
        key_named(sign(CODE, both)),
        key_named(before),
    ]
    with pytest.raises(TicketCodeInvalid):
        read(before, TicketKeys({2: new}))


def test_the_tenth_key_is_newer_than_the_ninth() -> None:
    kept = {number: new_key() for number in range(1, 12)}
    assert TicketKeys(kept).newest_id == TicketKeys({11: kept[11]}).newest_id


def test_there_is_always_a_key() -> None:
    with pytest.raises(ValueError, match="no key"):
        TicketKeys({})
