"""Structured logs: one JSON object a line on standard error, each with its request's id."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

import structlog
from structlog.typing import Processor

from bespeak.errors import InvalidSetting

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
PROCESSORS: Sequence[Processor] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    structlog.processors.JSONRenderer(),
)


def configure(level: str) -> None:
    """Sets up logging for this process. Raises InvalidSetting."""
    if level not in _LEVELS:
        raise InvalidSetting(
            f"BESPEAK_LOG_LEVEL is one of {', '.join(_LEVELS)}", variable="BESPEAK_LOG_LEVEL"
        )
    logging.basicConfig(level=_LEVELS[level], stream=sys.stderr, format="%(message)s")
    # While the database is away its pool writes a traceback a second; callers get the error.
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=PROCESSORS,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
