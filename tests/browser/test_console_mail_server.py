"""The mail server at the console: what was typed outlives the way to a proof of who one is, and a
password does not.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import become_owner, empty_server, press
from tests.browser.screens import PHONE, resize
from tests.browser.test_console_pages import TOO_WIDE
from tests.browser.test_console_payment_provider import with_authenticator

SECRET = "a secret of the mail server"
TYPED = {
    "Server": "mail.lantern.example",
    "Port": "2525",
    "User": "box",
    "Sender": "Box office <box@lantern.example>",
}
AGAIN = "What you typed before is here again."
KEPT = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"
