"""Cinemas: cities, screens with permanent seats, films, and the shows that are sold."""

from importlib import resources

from bespeak.verticals.cinema.contract import CALLS
from bespeak.verticals.cinema.demo.load import load_demo
from bespeak.verticals.cinema.files import import_file
from bespeak.verticals.vertical import Importer, Vertical

VERTICAL = Vertical(
    name="cinema",
    title="Cinema",
    calls=CALLS,
    migrations=resources.files(__name__).joinpath("migrations"),
    load_demo=load_demo,
    importer=Importer(("json", "csv"), import_file),
)
