"""The errors about the merchant's profile, and about consent to its terms."""

from bespeak.errors import InvalidRequest, Refused


class ColourIllegible(InvalidRequest):
    """The accent colour cannot be read on the pages; `nearest` is one of the same hue that can."""

    code = "colour_illegible"
    title = "Texts in this colour cannot be read"


class LogoInvalid(InvalidRequest):
    """The picture cannot be a logo; `reason` says why: `unknown_format` (no PNG, JPEG or WebP),
    `broken`, or `too_many_pixels`."""

    code = "logo_invalid"
    title = "This picture cannot be a logo"


class LogoNotFound(Refused):
    """No logo has this address."""

    code = "logo_not_found"
    status = 404
    title = "There is no such logo"


class TermsNotFound(Refused):
    """No terms have this digest."""

    code = "terms_not_found"
    status = 404
    title = "There are no such terms"


class ConsentRequired(Refused):
    """The merchant has terms, and the shopper did not accept them, or accepted others; `terms` is
    the digest of what is to be accepted."""

    code = "consent_required"
    title = "The terms have to be accepted first"
