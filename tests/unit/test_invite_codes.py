"""Invitation codes: read however they are typed, a slip is told from a code that somebody made up,
and a code is good in one room of one installation.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.admission.errors import InviteCodeMistyped, InviteCodeUnknown
from bespeak.admission.invite_codes import (
    BATCHES_MAX,
    CODES_MAX,
    TYPED_MAX,
    InviteCode,
    InviteCodes,
)
from bespeak.check_letters import LETTERS, VALUES, check_value

ROOM = "wrm_3k7m9p2q5r8t"
MADE = InviteCodes(b"a secret of tests")
CODES = st.builds(InviteCode, st.integers(1, BATCHES_MAX), st.integers(1, CODES_MAX))


@given(CODES)
def test_a_code_is_read_however_it_is_typed(code: InviteCode) -> None:
    text = MADE.make(ROOM, code)
    alike = text.replace("0", "o").replace("1", "l")
    for typed in (text, text.lower(), text.replace("-", ""), text.replace("-", " "), alike):
        assert MADE.read(ROOM, f" {typed}\n") == code
    assert MADE.read(ROOM, text.replace("-", "\u2013")) == code, "as word processors write it"


def test_a_code_has_three_groups_of_letters_that_do_not_look_alike() -> None:
    text = MADE.make(ROOM, InviteCode(1, 1))
    assert [len(group) for group in text.split("-")] == [6, 6, 6]
    assert not set(text) & set("ILOU")


@given(CODES, st.integers(0, 17), st.sampled_from(LETTERS))
def test_one_wrong_letter_is_a_slip(code: InviteCode, place: int, letter: str) -> None:
    text = MADE.make(ROOM, code).replace("-", "")
    if text[place] != letter:
        with pytest.raises(InviteCodeMistyped):
            MADE.read(ROOM, text[:place] + letter + text[place + 1 :])


@given(CODES, st.integers(0, 16))
def test_two_letters_that_changed_places_are_a_slip(code: InviteCode, place: int) -> None:
    text = MADE.make(ROOM, code).replace("-", "")
    one, other = text[place], text[place + 1]
    if one != other:
        with pytest.raises(InviteCodeMistyped):
            MADE.read(ROOM, text[:place] + other + one + text[place + 2 :])


@pytest.mark.parametrize(
    "typed", ["", "-", "abc", "U" * 18, "ß" * 18, "0" * 17, "0" * 19, " " * TYPED_MAX + "0" * 18]
)
def test_what_cannot_be_a_code_is_a_slip(typed: str) -> None:
    with pytest.raises(InviteCodeMistyped):
        MADE.read(ROOM, typed)


@given(st.lists(st.integers(0, 31), min_size=17, max_size=17))
def test_a_made_up_code_is_unknown(values: list[int]) -> None:
    typed = "".join(LETTERS[value] for value in (*values, check_value(values)))
    with pytest.raises(InviteCodeUnknown):
        MADE.read(ROOM, typed)


@given(CODES)
def test_the_next_code_of_a_batch_does_not_follow_from_one(code: InviteCode) -> None:
    text = MADE.make(ROOM, code).replace("-", "")
    values = [VALUES[letter] for letter in text[:-1]]
    values[4] ^= 1  # the last letter of the serial number
    with pytest.raises(InviteCodeUnknown):
        MADE.read(ROOM, "".join(LETTERS[value] for value in (*values, check_value(values))))


@given(CODES)
def test_a_code_is_good_in_one_room_of_one_installation(code: InviteCode) -> None:
    text = MADE.make(ROOM, code)
    with pytest.raises(InviteCodeUnknown):
        MADE.read("wrm_000000000000", text)
    with pytest.raises(InviteCodeUnknown):
        InviteCodes(b"another secret").read(ROOM, text)
