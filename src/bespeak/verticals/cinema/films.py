"""The films that the demo shows. All of them are invented."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Film:
    """A film as a programme names it; `minutes` is its length without the advertisements."""

    title: str
    language: str
    format: str
    minutes: int


FILMS = (
    Film("Monsoon Over Platform Nine", "Hindi", "2D", 131),
    Film("The Cartographer of Salt", "English", "2D", 118),
    Film("Seven Kites for Leela", "Marathi", "2D", 104),
    Film("Orbit of the Paper Moon", "English", "3D", 126),
    Film("A Quiet Engine", "German", "2D", 97),
    Film("Tigers of the Tin Bazaar", "Hindi", "3D", 149),
    Film("Low Tide at Harrow Point", "English", "2D", 112),
    Film("The Clockmaker's Third Winter", "French", "2D", 108),
    Film("Neon Mango", "Tamil", "2D", 139),
    Film("Letters to a Drowned Lighthouse", "Portuguese", "2D", 101),
    Film("Midnight Tram to Velasca", "Italian", "2D", 94),
    Film("The Understudy's Revenge", "English", "2D", 122),
)
