"""The errors of webhook endpoints and their deliveries: branches of the one tree."""

from bespeak.errors import Refused


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
