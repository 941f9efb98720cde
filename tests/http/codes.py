"""The stable part of every error: its code, its status, whether a retry may help.

Written out by hand, since a client is written against it: a change here is a change of the API.
"""

CODES: dict[str, tuple[int, bool]] = {
    # The request as such.
    "invalid_json": (400, False),
    "invalid_cursor": (400, False),
    "path_not_found": (404, False),
    "method_not_allowed": (405, False),
    "body_too_large": (413, False),
    "unsupported_media_type": (415, False),
    "invalid_request": (422, False),
    "invalid_id": (422, False),
    "unknown_unit": (422, False),
    "duplicate_line": (422, False),
    "extension_beyond_cap": (422, False),
    "hold_time_beyond_cap": (422, False),
    "currencies_differ": (422, False),
    "not_in_booking": (422, False),
    "idempotency_key_reused": (422, False),
    # Who asks.
    "key_missing": (401, False),
    "key_unknown": (401, False),
    "shopper_token_invalid": (401, False),
    "calendar_link_invalid": (401, False),
    "key_kind_wrong": (403, False),
    "not_owner": (403, False),
    # What there is.
    "resource_not_found": (404, False),
    "hold_not_found": (404, False),
    "booking_not_found": (404, False),
    "block_not_found": (404, False),
    "key_not_found": (404, False),
    # How things stand.
    "payment_required": (402, False),
    "unit_taken": (409, True),
    "sold_out": (409, True),
    "owner_limit_reached": (409, False),
    "not_on_sale": (409, False),
    "not_together": (409, False),
    "orphan_seat": (409, False),
    "resource_closed": (409, False),
    "resource_not_open": (409, True),
    "hold_confirmed": (409, False),
    "booking_cancelled": (409, False),
    "not_blocked": (409, False),
    "resource_in_use": (409, False),
    "plan_changed": (409, True),
    "hold_expired": (410, False),
    "hold_released": (410, False),
    "version_mismatch": (412, False),
    # How the service is.
    "rate_limited": (429, True),
    "internal_error": (500, False),
    "overloaded": (503, True),
    "shutting_down": (503, True),
    "database_unavailable": (503, True),
}

# Branches of the tree that are never raised themselves, what only starting can raise, and what only
# the single forms in SQL do.
NOT_ANSWERED = {
    "error",
    "refused",
    "not_permitted",
    "unavailable",
    "database_too_new",
    "database_not_migrated",
    "invalid_setting",
    "plan_not_in_sql",
}
