"""What a pass says: who may buy, behind which room, which of its resources, until when."""

from __future__ import annotations

import pytest
from joserfc import jwt

from bespeak import ids
from bespeak.admission.errors import PassInvalid
from bespeak.admission.passes import (
    AUDIENCE,
    RESOURCES_NAMED_MAX,
    Pass,
    named_resources,
    read_pass,
    sign_pass,
)
from bespeak.admission.passes_over import PassName
from bespeak.admission.told import PASS_LENGTH_MAX
from bespeak.reservations.request import OWNER_LENGTH_MAX
from bespeak.ticketing.keys import ALGORITHM, TicketKeys, new_key

ROOM = "wrm_0123456789ab"
KEYS = TicketKeys({1: new_key()})
MOST = range(ids.MAX_RESOURCE_NUMBER - RESOURCES_NAMED_MAX, ids.MAX_RESOURCE_NUMBER)


def signed(**claims: object) -> str:
    """A pass with claims as no server here makes them, by its key."""
    said = {"aud": AUDIENCE, "sub": "asha", "room": ROOM, "exp": 10**10, **claims}
    header = {"alg": ALGORITHM, "kid": KEYS.newest_id}
    return jwt.encode(header, said, KEYS.newest, algorithms=[ALGORITHM])


@pytest.mark.parametrize("letter", ["a", "ä", "票", "😀"])
def test_the_longest_pass_is_read(letter: str) -> None:
    owner, name = letter * OWNER_LENGTH_MAX, PassName(bytes(16), 10**16)
    content = Pass(ROOM, owner, 10**10, 1000, name, named_resources(MOST))
    text = sign_pass(KEYS, content)
    assert len(text) <= PASS_LENGTH_MAX
    assert read_pass(KEYS, text) == content


def test_a_pass_names_its_resources_as_they_are_shown_and_in_one_order() -> None:
    text = sign_pass(KEYS, Pass(ROOM, "asha", 10**10, None, None, named_resources([77, 74])))
    claims = jwt.decode(text, KEYS.newest, algorithms=[ALGORITHM]).claims
    assert claims["resources"] == ["res_0000002a", "res_0000002d"]
    found = read_pass(KEYS, text)
    assert found.is_for([74])
    assert found.is_for([77, 74])
    assert not found.is_for([74, 75])


def test_of_so_many_resources_the_room_alone_is_named() -> None:
    assert named_resources(MOST) == frozenset(MOST)
    assert named_resources([*MOST, 1]) is None
    text = sign_pass(KEYS, Pass(ROOM, "asha", 10**10, None, None, named_resources([*MOST, 1])))
    assert "resources" not in jwt.decode(text, KEYS.newest, algorithms=[ALGORITHM]).claims
    assert read_pass(KEYS, text).is_for([*MOST, 1])


def test_of_a_room_that_has_let_go_of_all_it_is_for_nothing() -> None:
    text = sign_pass(KEYS, Pass(ROOM, "asha", 10**10, None, None, named_resources([])))
    assert not read_pass(KEYS, text).is_for([74])


def test_a_pass_of_before_passes_named_resources_is_for_its_room() -> None:
    found = read_pass(KEYS, signed())
    assert (found.resources, found.is_for([74])) == (None, True)


@pytest.mark.parametrize(
    "resources", ["res_0000002a", ["res_2a"], [74], [None], [["res_0000002a"]], 74, {"a": 1}, True]
)
def test_what_is_no_list_of_resources_is_no_pass(resources: object) -> None:
    with pytest.raises(PassInvalid):
        read_pass(KEYS, signed(resources=resources))
