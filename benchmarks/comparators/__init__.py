"""The ordinary ways to sell a seat, each as a small honest ASGI application.

They share a contract (`POST /holds`, `POST /confirm`) and the features that an engineer would
write: holds with owner and expiry, idempotency keys, a limit per owner, one event a change.
"""
