"""The sandbox: a payment provider that behaves like the real ones and moves no money. What a
payment comes to is decided by its token; the bank's books are tables of its own, which survive a
kill.
"""

from bespeak.payments.providers.sandbox.bank import Sandbox

__all__ = ["Sandbox"]
