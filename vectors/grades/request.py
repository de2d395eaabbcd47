# SPDX-License-Identifier: Apache-2.0
"""Requests for the grade of a set or of a file."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, table
from limbtrace.vectors.grades.read import DEFAULT_COUNT, Graded
from limbtrace.vectors.kinds import DIRECTED, EVENTS, kind_with
from limbtrace.vectors.operands import pairs
from limbtrace.vectors.options import AnyPrimeQuery, DrawnQuery, ModelQuery, SettingsQuery, option
from limbtrace.vectors.request import Multiplier, VectorRequest


class GradeQuery(DrawnQuery, ModelQuery):
    """The query for the grade of a set; widths of limbs are those of its operands, too, if its kind has mechanisms."""

    @property
    def drawn_kind(self) -> str | None:
        """The kind of the set, with events or widths of limbs. Raises ParameterError."""
        of_set = self.words if self.kind in (None, EVENTS, DIRECTED) and not self.event else ()
        return kind_with(self.kind, self.event, of_set)

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
    words: Sequence[str] = option(
        "Width of limbs, in bits; repeatable.", [["64"]],
        default=(), help="Width of limbs, in bits; repeatable.", metavar="W",
    )  # fmt: skip

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
