"""A wire to an HTTP server that loses answers: the request gets through and is done, and who asked
hears nothing of it; or it is lost before.
"""

import asyncio

from tests.http.outage import Ends, Wire, copy


class LosingWire(Wire):
    """Loses what is asked or answered next, as often as it is told to."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._answers = 0
        self._requests = 0
        self.lost = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def lose_answers(self, count: int = 1) -> None:
        """The next so many requests are done, and their answers are lost."""
        self._answers = count

    def lose_requests(self, count: int = 1) -> None:
        """The next so many requests do not get through."""
        self._requests = count

    async def _join(self, here: Ends, there: Ends) -> None:
        await asyncio.gather(
            copy(here[0], there[1], self._asked), copy(there[0], here[1], self._answered)
        )

    def _asked(self, _: bytes) -> bool:
        if not self._requests:
            return True
        self._requests -= 1
        self.lost += 1
        return False

    def _answered(self, _: bytes) -> bool:
        if not self._answers:
            return True
        self._answers -= 1
        self.lost += 1
        return False
