# SPDX-License-Identifier: Apache-2.0
"""Requests for the grade of a set or of a file."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, table
from limbtrace.vectors.grades.read import DEFAULT_COUNT, Graded
from limbtrace.vectors.operands import pairs
from limbtrace.vectors.options import AnyPrimeQuery, DrawnQuery, ModelQuery, SettingsQuery, option
from limbtrace.vectors.request import Multiplier, VectorRequest, within

LEAST_WORD, MOST_WORD, MOST_WORDS = 2, 1024, 8


def _widths() -> Any:
    return option(
        f"Widths of limbs, separated by commas: up to {MOST_WORDS}.", ["64,32"], default=None,
        help="Widths of limbs, separated by commas.", metavar="W,W",
    )  # fmt: skip


def words_of(text: str | None) -> tuple[int, ...]:
    """Widths of limbs; none if none are given. Raises ParameterError("words")."""
    if text is None:
        return ()
    parts = text.split(",")
    if len(parts) > MOST_WORDS:
        raise ParameterError("words", f"{shown(text)} is more than {MOST_WORDS} widths")
    return tuple(within("words", part, LEAST_WORD, MOST_WORD) for part in parts)


class GradeQuery(DrawnQuery, ModelQuery):
    """The query for the grade of a set."""

    words: str | None = _widths()

    def resolve(self, multiplier: Multiplier) -> VectorRequest:
        """The set. Raises ParameterError."""
        return VectorRequest.resolve(multiplier, **self.drawn)


class FileGradeQuery(SettingsQuery, AnyPrimeQuery):
    """The query for the grade of a file."""

    model: str = option(
        "What the operands are multiplied by: id of a model. A vector set of limbtrace brings its own.",
        ["modmul", "montgomery"], default="modmul", choices=lambda: registry.MODELS,
    )  # fmt: skip
    count: str | int | None = option(
        "Most cases to grade: the first ones.", ["1000"], default=None, help="Most cases to grade.", metavar="N",
        least=1,
    )  # fmt: skip
    words: str | None = _widths()

    @property
    def multiplier(self) -> Multiplier | None:
        """None without a modulus, which only a set of limbtrace brings. Raises ParameterError."""
        return None if self.prime is None else Multiplier.resolve(self.model, self.prime, self.settings)


def drawn(request: VectorRequest) -> Graded:
    """The cases of a set."""
    found = [*islice(pairs(request), DEFAULT_COUNT)]
    return Graded(request.multiplier, found, request.count > len(found))


def _write(document: dict[str, Any]) -> Iterator[bytes]:
    yield (dump(document) + "\n").encode()


FORMATS = table(Format("json", "application/json", "json", _write))
