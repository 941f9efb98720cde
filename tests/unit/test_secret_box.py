"""What is sealed opens for its purpose, its owner and its installation alone."""

import pytest

from bespeak.secret_box import SecretBox

SECRET, CONTENT, OWNER = b"0" * 32, "pässword".encode(), b"opr_1"


def test_what_was_sealed_is_opened_and_cannot_be_read() -> None:
    box = SecretBox(SECRET, b"a purpose")
    sealed = box.seal(CONTENT, OWNER)
    assert box.open(sealed, OWNER) == CONTENT
    assert CONTENT not in sealed
    assert box.seal(CONTENT, OWNER) != sealed  # nobody sees that two are the same


@pytest.mark.parametrize(
    ("secret", "purpose", "owner"),
    [
        (b"1" * 32, b"a purpose", OWNER),
        (SECRET, b"another purpose", OWNER),
        (SECRET, b"a purpose", b"opr_2"),
    ],
    ids=["secret", "purpose", "owner"],
)
def test_it_opens_for_nothing_else(secret: bytes, purpose: bytes, owner: bytes) -> None:
    sealed = SecretBox(SECRET, b"a purpose").seal(CONTENT, OWNER)
    assert SecretBox(secret, purpose).open(sealed, owner) is None


@pytest.mark.parametrize("length", [0, 5, 12, 20])
def test_what_was_cut_short_or_changed_does_not_open(length: int) -> None:
    box = SecretBox(SECRET, b"a purpose")
    sealed = box.seal(CONTENT, OWNER)
    assert box.open(sealed[:length], OWNER) is None
    assert box.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), OWNER) is None


def test_what_earlier_versions_sealed_still_opens() -> None:
    """Made before boxes had a class of their own."""
    sealed = bytes.fromhex(
        "000102030405060708090a0b3cd7b9a5a42cefa5b3f4a2ccfeb134dd79e24ac431bc479396"
    )
    assert SecretBox(SECRET, b"bespeak mail server").open(sealed, OWNER) == CONTENT
