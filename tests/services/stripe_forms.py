"""How Stripe writes requests, lists and errors: forms with nested names, pages newest first, and
one shape of error.
"""

from typing import Any

from aiohttp import web

# Bodies of Stripe's API and of its requests, which are what a test wants them to be.
Json = dict[str, Any]
Form = dict[str, Any]


class StripeError(Exception):
    """An error, as it is answered."""

    def __init__(self, status: int, *, is_malformed: bool = False, **fields: object) -> None:
        super().__init__(fields)
        kind = fields.pop("kind", "invalid_request_error")
        told = {"message": "Something is wrong", "type": kind, **fields}
        self.status = status
        self.is_malformed = is_malformed
        self.body: Json = {"error": {name: value for name, value in told.items() if value}}


def wrong(param: str, code: str | None, value: str = "") -> StripeError:
    """A parameter that makes no sense; nothing was begun. Stripe's messages quote what was sent."""
    message = f"Invalid {param}: {value!r}"
    return StripeError(400, is_malformed=True, param=param, code=code, message=message)


async def read_form(request: web.Request) -> Form:
    """The parameters, nested as their names say: `metadata[a]=b`, `expand[0]=c`."""
    given = await request.post() if request.method == "POST" else request.query
    form: Form = {}
    for name, value in given.items():
        first, *rest = name.replace("]", "").split("[")
        place, key = form, first
        for inner in rest:
            place, key = place.setdefault(key, {}), inner
        place[key] = str(value)
    return {
        name: list(value.values()) if name == "expand" and isinstance(value, dict) else value
        for name, value in form.items()
    }


def expanded(form: Form, prefix: str) -> Form:
    """What is to be expanded in each entry of a list."""
    return {"expand": [name.removeprefix(prefix) for name in form.get("expand", [])]}


def page(url: str, newest_first: list[Json], form: Form) -> Json:
    """A page of a list, after the one that `starting_after` names."""
    limit = int(form.get("limit", 10))
    after = form.get("starting_after")
    ids = [entry["id"] for entry in newest_first]
    start = ids.index(after) + 1 if after else 0
    data = newest_first[start : start + limit]
    has_more = len(newest_first) > start + limit
    return {"object": "list", "url": url, "has_more": has_more, "data": data}
