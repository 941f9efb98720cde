"""Who bought before the visitor came, and when: over the two weeks before, more of it lately and in
the evening, after a while at the checkout. All of it is invented, and goes to no address.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import NamedTuple

from bespeak.reservations.contact import Contact

# Addresses that are nobody's (RFC 2606).
_DOMAINS = ("example.com", "example.net", "example.org")
_NAMES = (
    *("Asha Rao", "Tom Whitfield", "Noor Haddad", "Greta Lindqvist", "Mateo Fuentes"),
    *("Yuki Tanaka", "Chidi Okafor", "Ines Moreau", "Lena Vogt", "Omar Farouk"),
    *("Priya Menon", "Sofia Rossi", "Jack Hollis", "Amara Diallo", "Piotr Zielinski"),
    *("Mei Lin", "Hannah Brandt", "Karim Nasser", "Eva Novotna", "Rohan Kapoor"),
    *("Clara Jensen", "Samuel Adeyemi", "Layla Mansour", "Felix Baumann", "Nina Petrova"),
    *("Diego Castillo", "Aiko Mori", "Oliver Marsh", "Zainab Yusuf", "Marta Silva"),
    *("Arjun Nair", "Elif Demir", "Hugo Laurent", "Rania Khalil", "Anton Weber"),
)
# How likely it is that somebody buys in an hour of the day, from midnight on.
_HOURS = (2, 1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 10, 12, 12, 11, 10, 11, 14, 18, 20, 20, 16, 10, 5)
_HOURS_MAX = max(_HOURS)
_DAYS_USUAL, _DAYS_MAX = 3.5, 14
_SECONDS_MIN, _SECONDS_MAX = 15, 400
_CANCELS = 0.03


class DemoBuyer(NamedTuple):
    """Who buys something: the owner; the contact, where one was left; when it was held, booked,
    and given back, if it was."""

    owner: str
    contact: Contact | None
    held_at: datetime
    booked_at: datetime
    cancelled_at: datetime | None


def buyer(owner: str, now: datetime, dice: random.Random) -> DemoBuyer:
    """Somebody who bought before `now`."""
    booked_at = _moment(now, dice)
    took = min(_SECONDS_MAX, max(_SECONDS_MIN, dice.lognormvariate(4.2, 0.7)))
    cancelled_at = None
    if dice.random() < _CANCELS:
        cancelled_at = booked_at + (now - booked_at) * dice.random()
    return DemoBuyer(
        owner,
        _contact(booked_at, now, dice),
        booked_at - timedelta(seconds=took),
        booked_at,
        cancelled_at,
    )


def _moment(now: datetime, dice: random.Random) -> datetime:
    while True:
        days = dice.expovariate(1 / _DAYS_USUAL)
        moment = now - timedelta(days=days)
        if days < _DAYS_MAX and dice.random() * _HOURS_MAX < _HOURS[moment.hour]:
            return moment


def _contact(booked_at: datetime, now: datetime, dice: random.Random) -> Contact | None:
    """Who bought lately left an address, of the others some: a mail is written for each, and a demo
    that began with a thousand of them would be busy with its papers for a while."""
    name = dice.choice(_NAMES)
    domain = dice.choice(_DOMAINS)
    left = 0.5 if now - booked_at < timedelta(hours=6) else 0.04
    if dice.random() > left:
        return None
    return Contact(f"{name.lower().replace(' ', '.')}@{domain}", name)
