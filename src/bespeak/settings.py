"""The settings of a process, read from environment variables that begin with BESPEAK_. Every one
is documented in docs/reference/settings.md, which a test compares with this class.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidSetting

_PREFIX = "BESPEAK_"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings with their defaults. `Settings.read()` fills them from the environment."""

    database_url: str | None = None
    data_dir: str | None = None
    lanes: Annotated[int, Meta(ge=1, le=16)] = 1
    batch_max: Annotated[int, Meta(ge=1, le=2000)] = 500
    queue_max: Annotated[int, Meta(ge=1, le=100_000)] = 3000
    pool_max: Annotated[int, Meta(ge=1, le=200)] = 8
    database_read_url: str | None = None
    read_pool_max: Annotated[int, Meta(ge=1, le=200)] = 8
    read_lag_seconds_max: Annotated[float, Meta(ge=0.5, le=3600)] = 5.0
    database_wait_seconds: Annotated[float, Meta(ge=0.1, le=60)] = 5.0
    payment_providers: str = "desk"
    allow_pretend_money: bool = False
    payment_answer_seconds: Annotated[float, Meta(ge=0.1, le=60)] = 10.0
    reconcile: bool = True
    known_taken_seconds: Annotated[float, Meta(ge=0, le=60)] = 1.0
    known_taken_max: Annotated[int, Meta(ge=0, le=10_000_000)] = 100_000
    lines_max: Annotated[int, Meta(ge=1, le=1000)] = 100
    body_max_bytes: Annotated[int, Meta(ge=1024, le=16_777_216)] = 262_144
    document_max_bytes: Annotated[int, Meta(ge=1024, le=67_108_864)] = 8_388_608
    trusted_proxies: str = ""
    proxy_header: Annotated[str, Meta(pattern=r"^(x-forwarded-for|forwarded)\Z")] = (
        "x-forwarded-for"
    )
    body_seconds_max: Annotated[float, Meta(ge=1, le=3600)] = 20.0
    request_seconds_max: Annotated[float, Meta(ge=5, le=3600)] = 120.0
    budgets: Annotated[str, Meta(pattern=r"^(on|watch|off)\Z")] = "on"
    budgets_exempt: str = ""
    challenge: str = "proof_of_work"
    rate_limit_publishable: str = "600/minute"
    rate_limit_address: str = "1200/minute"
    rate_limit_guests: str = "300/minute"
    rate_limit_streams: str = "300/minute"
    rate_limit_joins: str = "300/minute"
    rate_limit_secret: str = ""
    rate_limit_login: str = "10/minute"
    rate_limit_operator: str = "20/hour"
    step_up_refund_over: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 10_000
    console_idle_minutes: Annotated[int, Meta(ge=10, le=720)] = 60
    rate_limit_storage: str = "memory"
    streams_max: Annotated[int, Meta(ge=0, le=100_000)] = 10_000
    streams_per_address_max: Annotated[int, Meta(ge=0, le=100_000)] = 100
    connections_per_address_max: Annotated[int, Meta(ge=0, le=100_000)] = 1000
    cors_origins: str = "*"
    availability_ms: Annotated[int, Meta(ge=0, le=10_000)] = 100
    box_office: bool = True
    signing_secret: Annotated[str, Meta(min_length=32)] | None = None
    public_url: Annotated[str, Meta(pattern=r"^https?://[!-~]+$")] = "http://127.0.0.1:8000"
    map_tiles: Annotated[str, Meta(max_length=500)] = ""
    map_tiles_credit: Annotated[str, Meta(max_length=200)] = ""
    hsts_subdomains: bool = False
    webhook_private: bool = False
    webhook_retention_days: Annotated[int, Meta(ge=4, le=3650)] = 30
    keep_holds_days: Annotated[int, Meta(ge=0, le=3650)] = 30
    keep_keys_days: Annotated[int, Meta(ge=0, le=3650)] = 30
    keep_events_days: Annotated[int, Meta(ge=0, le=3650)] = 90
    keep_audit_log_days: Annotated[int, Meta(ge=0, le=3650)] = 730
    keep_mails_days: Annotated[int, Meta(ge=0, le=3650)] = 90
    free_sales: bool = False
    keep_invoice_years: Annotated[int, Meta(ge=1, le=30)] = 10
    archive_dir: str | None = None
    search_snapshots: str | None = None
    search_region: str | None = None
    gazetteer: bool = True
    smtp_url: str | None = None
    mail_from: str = "Bespeak <bookings@localhost>"
    mail_outbox: str | None = None
    stripe_secret_key: str | None = None
    stripe_webhook_secret: str | None = None
    stripe_publishable_key: str | None = None
    stripe_api_base: str | None = None
    demo: bool = False
    demo_listings: Annotated[int, Meta(ge=0, le=2_000_000)] = 20_000
    demo_premiere_seconds: Annotated[int, Meta(ge=1, le=86_400)] = 120
    log_level: str = "info"
    log_requests: str = "errors"

    @property
    def takes_payments(self) -> bool:
        """Whether a payment provider is set up at which guests can pay: not the desk alone."""
        named = (name.strip() for name in self.payment_providers.split(","))
        return any(name not in ("", "desk") for name in named)

    @property
    def database_mark(self) -> str:
        """What parts its database from others in the names of files; nothing of a user or a
        password is in it."""
        parts = urlsplit(self.database_url or "")
        where = f"{parts.netloc.rpartition('@')[2]}{parts.path}?{parts.query}"
        return hashlib.sha256(where.encode()).hexdigest()[:16]

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Settings from the environment. Raises InvalidSetting and names the variable."""
        source = os.environ if environment is None else environment
        fields = {field.name: field for field in msgspec.structs.fields(cls)}
        values: dict[str, object] = {}
        for variable, text in source.items():
            name = variable.removeprefix(_PREFIX).lower()
            if not variable.startswith(_PREFIX) or name not in fields:
                continue
            try:
                values[name] = msgspec.convert(text, fields[name].type, strict=False)
            except msgspec.ValidationError as error:
                raise InvalidSetting(f"{variable}: {error}", variable=variable) from error
        return cls(**values)  # type: ignore[arg-type]
