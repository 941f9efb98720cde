"""The errors of webhook endpoints, their deliveries, and mails: branches of the one tree."""

from bespeak.errors import InvalidRequest, Refused, Unavailable


class WebhookEndpointNotFound(Refused):
    """No webhook endpoint has this id, or not any more."""

    code = "webhook_endpoint_not_found"
    status = 404
    title = "There is no webhook endpoint with this id"


class WebhookDeliveryNotFound(Refused):
    """The webhook endpoint has no delivery with this id, or not any more."""

    code = "webhook_delivery_not_found"
    status = 404
    title = "There is no delivery with this id"


class WebhookEndpointDisabled(Refused):
    """The webhook endpoint is disabled, so nothing is sent there; `disabled_because` says why."""

    code = "webhook_endpoint_disabled"
    title = "The webhook endpoint is disabled"


class WebhookEndpointsFull(Refused):
    """There are as many webhook endpoints as there may be."""

    code = "webhook_endpoints_full"
    title = "There are as many webhook endpoints as there may be"


class ContactMissing(Refused):
    """Nobody said to whom news of the booking goes, so there is no address to write to."""

    code = "contact_missing"
    title = "The booking has no contact"


class MailedTooOften(Unavailable):
    """The mail was sent again as often as it may be within an hour."""

    code = "mailed_too_often"
    status = 429
    retryable = True
    title = "This mail was sent again too often"


class MailTextInvalid(InvalidRequest):
    """A text of a mail names a `placeholder` that there is not; `placeholders` are those that there
    are. A brace is only ever a placeholder's."""

    code = "mail_text_invalid"
    title = "The text names a placeholder that there is not"


class MailTextNotFound(Refused):
    """There is no such kind of mail, or it is not written in this language; `kinds` and `languages`
    are what there is."""

    code = "mail_text_not_found"
    status = 404
    title = "There is no such mail, or not in this language"


class MailServerInvalid(InvalidRequest):
    """A part of a mail server makes no sense, or not with the others; `field` is which."""

    code = "mail_server_invalid"
    title = "The mail server cannot be set so"


class MailServerFixed(Refused):
    """Where mails go is said before anybody at the console can: by the environment of the server,
    or because it is a demo; `fixed_by` is which."""

    code = "mail_server_fixed"
    title = "Where mails go cannot be set here"


class MailServerMissing(Refused):
    """No mail server is set, so there is none to try."""

    code = "mail_server_missing"
    title = "No mail server is set"


class MailingNotFound(Refused):
    """The resource has no mailing with this id."""

    code = "mailing_not_found"
    status = 404
    title = "There is no mailing with this id"


class MailingsTooMany(Unavailable):
    """There were as many mailings of this resource as there may be within a day."""

    code = "mailings_too_many"
    status = 429
    retryable = True
    title = "There were as many mailings as there may be within a day"


class MailNotSent(Unavailable):
    """The mail server did not take the mail, or is away; `reason` is what it said."""

    code = "mail_not_sent"
    status = 503
    retryable = True
    title = "The mail could not be sent"


class OutboxClosed(Refused):
    """Mails are sent by a mail server, or written by a process on another machine: this one has no
    folder with them."""

    code = "outbox_closed"
    status = 404
    title = "This server writes no mails into a folder"


class MailNotFound(Refused):
    """The outbox has no mail with this id, not such a part of it, or the mail is too large to be
    opened."""

    code = "mail_not_found"
    status = 404
    title = "There is no such mail in the outbox"
