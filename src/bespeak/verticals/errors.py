"""The error of a vertical that cannot be used, a branch of the one tree in bespeak.errors."""

from bespeak.errors import BespeakError


class VerticalBroken(BespeakError):
    """A vertical that is installed cannot be used: it cannot be imported, is written for another
    version of the seam, or has a name that is taken. `vertical` says which. Nothing starts with it;
    what is the matter with an installation can be asked all the same."""

    code = "vertical_broken"
    title = "A vertical that is installed cannot be used"
