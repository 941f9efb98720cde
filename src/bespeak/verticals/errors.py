"""What any vertical may refuse, as branches of the one tree in bespeak.errors: that it is used at
all, and files that it cannot read.
"""

from bespeak.errors import BespeakError, InvalidRequest


class VerticalBroken(BespeakError):
    """A vertical that is installed cannot be used: it cannot be imported, is written for another
    version of the seam, or has a name that is taken. `vertical` says which. Nothing starts with it;
    what is the matter with an installation can be asked all the same."""

    code = "vertical_broken"
    title = "A vertical that is installed cannot be used"


class CatalogueInvalid(InvalidRequest):
    """A file cannot be read as a catalogue; `where` says at which part of it."""

    code = "catalogue_invalid"
    title = "The file is no catalogue"
