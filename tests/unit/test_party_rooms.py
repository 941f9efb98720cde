"""Which rooms of a property a party is proposed, against brute force over all sets of them."""

from itertools import combinations_with_replacement
from random import Random

from bespeak.parties import Party
from bespeak.verticals.stays.party_rooms import ROOMS_MAX, RoomType, dealt_to, room_sets

Types = list[RoomType]


def cost(types: Types, chosen: tuple[int, ...]) -> int:
    return sum(types[place].price for place in chosen)


def brute_force(types: Types, party: Party) -> int | None:
    """What the cheapest set costs."""
    adults = party.guests - len(party.ages)
    found = [
        cost(types, chosen)
        for count in range(1, min(ROOMS_MAX, adults or party.guests) + 1)
        for chosen in combinations_with_replacement(range(len(types)), count)
        if sum(types[place].guests for place in chosen)
        >= party.in_beds(sum(types[place].cots for place in chosen))
        and all(chosen.count(place) <= types[place].free for place in chosen)
    ]
    return min(found, default=None)


def test_the_first_set_is_the_cheapest_and_the_others_follow_by_price() -> None:
    dice = Random(20300101)
    placed = in_cots = 0
    for _ in range(400):
        types = [
            RoomType(
                dice.randint(1, 4),
                dice.choice((0, 0, 1, 2)),
                dice.randint(1, 3),
                dice.choice((0, 50, 90, 100, 250)),
            )
            for _ in range(dice.randint(0, 4))
        ]
        guests = dice.randint(1, 8)
        party = Party(
            guests, dice.choice(((9, 4, 1), (2, 2, 1), (5, 0)))[: dice.randint(0, guests)]
        )
        sets = list(room_sets(types, party))
        costs = [cost(types, chosen) for chosen in sets]
        assert costs == sorted(costs)
        assert (costs[0] if costs else None) == brute_force(types, party), (types, party)
        placed += bool(costs)
        for chosen in sets[:5]:
            rooms = [types[place] for place in chosen]
            dealt = dealt_to(rooms, party)
            assert sum(one.guests for one in dealt) == party.guests
            assert sorted(age for one in dealt for age in one.ages) == sorted(party.ages)
            for one, room in zip(dealt, rooms, strict=True):
                assert one.guests >= 1
                assert one.in_beds(room.cots) <= room.guests
                in_cots += one.guests > room.guests
                assert len(one.ages) < one.guests or len(party.ages) == party.guests
    assert 150 < placed < 400
    assert in_cots > 50


def test_much_to_choose_from_is_looked_at_in_bounds() -> None:
    types = [RoomType(4, 0, 10, 100 + place) for place in range(20)]
    assert next(room_sets(types, Party(40))) == (0,) * 10
    # Whatever they cost, a set is found wherever there is one, also if it is the only one.
    dice = Random(20300101)
    types = [RoomType(dice.randint(1, 4), 0, 1, dice.randint(5_000, 30_000)) for _ in range(20)]
    most = sum(sorted((one.guests for one in types), reverse=True)[:10])
    assert len(next(room_sets(types, Party(most)))) == 10
    # Nothing holds so many.
    assert (
        list(room_sets([RoomType(1, 0, 10, 100 + place) for place in range(20)], Party(50))) == []
    )
