"""A gazetteer of a few towns, made as that of the package is: in a process that writes its standard
output. The data of the package take ten seconds.
"""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bespeak.verticals.stays.search import gazetteer_file
from bespeak.verticals.stays.search.array_file import MappedArrays
from bespeak.verticals.stays.search.gazetteer import Gazetteer

Town = tuple[str, str, float, float, int, list[str]]
"""A name, a country, latitude and longitude, how many people, and other names."""

TOWNS: list[Town] = [
    ("Munich", "DE", 48.13743, 11.57549, 1505005, ["MUC", "Munchen", "München", "munihe", ""]),
    ("Halle", "BE", 50.73385, 4.23454, 32758, ["Hal"]),
    ("Hallein", "AT", 47.68333, 13.1, 21353, []),
    ("Bad Tölz", "DE", 47.76111, 11.5589, 17434, ["Bad Tolz", "Tolz"]),
    ("Halle", "DE", 52.06007, 8.36083, 19849, ["Halle (Westfalen)"]),
    ("Blankenese", "DE", 53.5584, 9.79882, 13637, []),
    ("Wedel", "DE", 53.58374, 9.69835, 33547, ["Ведель", "Wedel in Holstein"]),
    ("Hamburg", "DE", 53.55073, 9.99302, 1845229, ["Hambourg", "Amburgo", "Hambūrg", "هامبورغ"]),
    ("Sankt Peter-Ording", "DE", 54.30363, 8.64138, 4092, ["St. Peter-Ording"]),
    ("Nuku'alofa", "TO", -21.13938, -175.2018, 22400, []),
]


def written_data(folder: Path, towns: list[Town]) -> Path:
    """The towns as the package has them."""
    fields = ("name", "countrycode", "latitude", "longitude", "population", "alternatenames")
    data: Mapping[str, Mapping[str, object]] = {
        str(number): dict(zip(fields, town, strict=True)) | {"timezone": "Europe/Berlin"}
        for number, town in enumerate(towns)
    }
    path = folder / "cities.json"
    path.write_text(json.dumps(data))
    return path


def gazetteer_of(folder: Path, towns: list[Town]) -> Gazetteer:
    """A gazetteer of these towns."""
    with (folder / "towns.arrays").open("w+b") as file:
        gazetteer_file.write_gazetteer(written_data(folder, towns), file)
        return Gazetteer(MappedArrays(file.fileno()))


def main() -> None:
    """Does what `gazetteer_file` does, with other towns; and what goes wrong there, where the
    environment says so."""
    ends = os.environ.get("GAZETTEER_ENDS", "")
    if ends == "failed":
        sys.exit("no space left on device")
    if ends == "never":
        signal.pause()
    with tempfile.TemporaryDirectory() as folder, open(1, "r+b", closefd=False) as file:
        gazetteer_file.write_gazetteer(written_data(Path(folder), TOWNS), file)


if __name__ == "__main__":
    main()
