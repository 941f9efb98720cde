"""A Stripe with several accounts, for the tests: each has a server of its own behind one address,
and which of them is asked is said by the key.
"""

from contextlib import suppress

import aiohttp
from aiohttp import web

from tests.services.stripe_server import SECRET_KEY, StripeServer


class StripeAccounts:
    """One address before several Stripes. `asked` counts the calls by key."""

    def __init__(self) -> None:
        self.url = ""
        self.keys: dict[str, tuple[str, StripeServer]] = {}
        self.asked: dict[str, int] = {}
        self.restricted: set[str] = set()
        self.status: int | None = None
        self._servers: dict[tuple[str, bool], StripeServer] = {}
        self._session: aiohttp.ClientSession | None = None
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        self._session = aiohttp.ClientSession()
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, handler_cancellation=False, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        for server in self._servers.values():
            await server.stop()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    async def make_key(self, key: str, account_id: str) -> StripeServer:
        """A key of an account, in the mode that it says; answers what the account has there."""
        place = (account_id, "_live_" in key)
        if place not in self._servers:
            self._servers[place] = StripeServer()
            await self._servers[place].start()
        self.keys[key] = (account_id, self._servers[place])
        return self._servers[place]

    def revoke(self, key: str) -> None:
        """Somebody rolled the key: it is taken no more."""
        del self.keys[key]

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.asked[key] = self.asked.get(key, 0) + 1
        if self.status is not None:
            return _error(self.status, "api_error")
        if key not in self.keys:
            return _error(401, "invalid_request_error")
        account_id, server = self.keys[key]
        if request.path == "/v1/account":
            if key in self.restricted:
                return _error(403, "invalid_request_error")
            return web.json_response(_account(account_id))
        assert self._session is not None
        headers = {**request.headers, "Authorization": f"Bearer {SECRET_KEY}"}
        url = f"{server.url}{request.rel_url}"
        with suppress(aiohttp.ClientError):
            async with self._session.request(
                request.method, url, headers=headers, data=await request.read()
            ) as told:
                replayed = told.headers.get("Idempotent-Replayed")
                more = {} if replayed is None else {"Idempotent-Replayed": replayed}
                return web.Response(
                    status=told.status,
                    body=await told.read(),
                    headers=more,
                    content_type="application/json",
                )
        return _error(500, "api_error")


def _account(account_id: str) -> dict[str, object]:
    """https://docs.stripe.com/api/accounts/object, as much as is read of it."""
    return {
        "id": account_id,
        "object": "account",
        "charges_enabled": True,
        "business_profile": {"name": None},
        "settings": {"dashboard": {"display_name": f"Lantern {account_id}"}},
    }


def _error(status: int, kind: str) -> web.Response:
    message = "Invalid API Key provided: sk_test_****peak"
    return web.json_response({"error": {"type": kind, "message": message}}, status=status)
