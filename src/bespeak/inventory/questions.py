"""Questions: what a merchant asks the buyers of a resource at checkout, once for a booking or for
each of its tickets. What they answer hangs on the hold: see `reservations/checkout_answers.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA, Name

QUESTIONS_MAX, CHOICES_MAX = 20, 50

QuestionId = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_-]{0,39}\Z",
        extra_json_schema={"pattern": "^[a-z][a-z0-9_-]{0,39}$"},
        description="up to 40 small letters, digits, - and _, the first of them a letter",
        examples=["meal"],
    ),
]
QuestionText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["Which meal would you like?"]},
    ),
]


class CheckoutQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked at checkout. It is answered by one of the `choices`, or by a line of text where
    there are none. `per` says whether it is asked once, or for each ticket. Its `id` is what
    answers name; it stays when the text changes. A shopper books only with an answer to each that
    is `required`."""

    id: QuestionId
    text: QuestionText
    choices: Annotated[tuple[Name, ...], Meta(max_length=CHOICES_MAX)] = ()
    per: Literal["booking", "ticket"] = "booking"
    required: bool = False


Questions: TypeAlias = Annotated[tuple[CheckoutQuestion, ...], Meta(max_length=QUESTIONS_MAX)]


def check_questions(questions: Sequence[CheckoutQuestion]) -> None:
    """Raises InvalidRequest where two have one id, or a choice comes twice."""
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise InvalidRequest(f"questions: {question.id!r} comes twice", field="questions")
        seen.add(question.id)
        if len(set(question.choices)) < len(question.choices):
            raise InvalidRequest(
                f"questions: a choice of {question.id!r} comes twice", field="questions"
            )
