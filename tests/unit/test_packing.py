"""What is packed on its way, for whom, and that it comes out as it went in."""

import gzip

import pytest

from bespeak.http.server.answers import Answer, PackableAnswer
from bespeak.http.server.packing import codings_taken, packed

LONG = b'{"items": [' + b'"the same again", ' * 200 + b'"the end"]}'
GZIP = {b"accept-encoding": "gzip, deflate, br"}


def told(answer: Answer) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in answer.headers}


async def test_a_long_text_is_packed_for_who_takes_gzip() -> None:
    whole = PackableAnswer(200, LONG, headers=((b"etag", b'W/"1"'),))
    answer = await packed(whole, GZIP)
    assert gzip.decompress(answer.body) == LONG
    assert len(answer.body) < len(LONG) / 10
    assert answer.content_type == b"application/json"
    assert told(answer) == {"etag": 'W/"1"', "content-encoding": "gzip"}


async def test_one_that_would_hold_others_up_is_packed_as_well() -> None:
    body = LONG * 100
    assert gzip.decompress((await packed(PackableAnswer(200, body), GZIP)).body) == body


@pytest.mark.parametrize("accepted", ["", "br", "identity", "gzip;q=0", "gzip; q=0.0, br"])
async def test_who_takes_no_gzip_gets_it_as_it_is(accepted: str) -> None:
    whole = PackableAnswer(200, LONG)
    assert await packed(whole, {b"accept-encoding": accepted}) is whole


@pytest.mark.parametrize(
    "answer",
    [
        PackableAnswer(200, b'{"items":[]}'),
        Answer(304),
        PackableAnswer(200, LONG, content_type=b"image/webp"),
    ],
)
async def test_what_would_win_nothing_stays_as_it_is(answer: Answer) -> None:
    assert await packed(answer, GZIP) is answer


def test_a_client_takes_what_it_names_and_does_not_refuse() -> None:
    taken = codings_taken({b"accept-encoding": "br;q=1.0, GZIP;q=0.5 ,zstd;q=0"})
    assert taken & {"br", "gzip", "zstd"} == {"br", "gzip"}
    assert codings_taken({}) == {""}
