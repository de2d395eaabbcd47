# SPDX-License-Identifier: Apache-2.0
"""Digit-level traces: every intermediate of one product, or of one link of a chain."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from limbtrace.refmodels.digits import chosen_digits, redundant_digits
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.model import Model, Run, Step, Violation
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.options import ModelQuery, option
from limbtrace.vectors.representations import all_representations, digits
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.traces.document import TraceHead

MAX_STEPS = 4_000_000


class TraceQuery(ModelQuery):
    """The query for a trace."""

    a: str = option(
        "First operand: integer, expression, or [d0,d1,...] low digit first.", ["0x5", "[5,0,1]"],
        help="First operand: decimal, 0x hexadecimal or [d0,d1,...].", metavar="INT",
    )  # fmt: skip
    b: str | None = option(
        "Second operand, written like the first, if the model has one.", ["7"], default=None,
        help="Second operand, if the model has one.", metavar="INT",
    )  # fmt: skip
    step: str | None = option(
        "For a chain: only the steps of squaring I.", ["1"], default=None,
        help="For a chain: only the steps of squaring I.", metavar="I", least=1,
    )  # fmt: skip
    check: bool = option(
        "Check every claim of the model; the header Limbtrace-Claims has the outcome.", ["true"], default=False,
        help="Check every claim of the model; exit 1 if one does not hold.",
    )  # fmt: skip


class TraceRequest:
    """A request for every step of one product, or of one link of a chain."""

    def __init__(
        self,
        multiplier: Multiplier,
        a: str | int,
        b: str | int | None = None,
        max_steps: int = MAX_STEPS,
        step: str | int | None = None,
    ) -> None:
        """`step` is the number of a link, from 1 on, if only that link is requested.

        Raises ParameterError if an operand is out of range or the trace would be longer than `max_steps`.
        """
        m = self.multiplier = multiplier
        if (b is None) != m.model.unary:
            missing = f"the request does not give it, and {m.model.id} multiplies a and b"
            raise ParameterError("b", f"{m.model.id} has no b" if m.model.unary else missing)
        self.a, self.b = m.operand("a", a), 0 if b is None else m.operand("b", b, 1)
        m.model.check_operands(m.params, self.a, self.b)
        self.step = None if step is None else _link(m, step)
        count = self.count = self._model.step_count(m.params)
        if count > max_steps:
            name = "radix" if m.radix else "prime"
            raise ParameterError(name, f"the trace would have {count} steps and the limit is {max_steps}")

    @classmethod
    def of(cls, asked: TraceQuery, multiplier: Multiplier, max_steps: int = MAX_STEPS) -> "TraceRequest":
        """The request of a query. Raises ParameterError."""
        return cls(multiplier, asked.a, asked.b, max_steps, asked.step)

    @property
    def _model(self) -> Model:
        """The model that the steps belong to."""
        chain = self.multiplier.model.chain
        return self.multiplier.model if self.step is None or chain is None else chain.link_model

    @cached_property
    def link(self) -> Run | None:
        """The requested link, if the request is for a single link."""
        m = self.multiplier
        if self.step is None or m.model.chain is None:
            return None
        return m.model.chain.link(m.params, self.a, self.step)

    def steps(self) -> Iterator[Step]:
        """The steps, generated lazily."""
        m = self.multiplier
        if self.link is not None:
            return iter(self.link.steps)
        return m.model.steps(m.params, *m.params.split(self.a, self.b))

    @property
    def result(self) -> int:
        m = self.multiplier
        if self.link is not None:
            return self.link.result
        return m.model.result(m.params, self.a, self.b)

    @property
    def head(self) -> dict[str, Any]:
        """The document without its steps."""
        m, result = self.multiplier, self.result
        shown = all_representations(m, result)
        operands: dict[str, Any] = {}
        for name, value in (("a", self.a), ("b", self.b)):
            if name in m.model.operands:
                operands[name] = hexadecimal(value)
            if (chosen := chosen_digits(value)) and not shown:
                operands[f"{name}_digits"] = [hexadecimal(digit) for digit in chosen]
        squared = [] if self.link is None else redundant_digits(self.link.a, 0, 0)
        document: dict[str, Any] = members(
            TraceHead,
            format=FORMAT,
            **m.head,
            **operands,
            step=self.step,
            squared=[hexadecimal(digit) for digit in squared] or None,
            result=hexadecimal(result),
            residue=hexadecimal(m.residue(result)),
            digits=digits(m, self.a, self.b, result) or None,
            representations=shown or None,
        )
        return document

    def violations(self) -> list[Violation]:
        """Claims of the model that this product violates."""
        m = self.multiplier
        run = m.model.run(m.params, self.a, self.b) if self.link is None else self.link
        return list(self._model.violations(run))

    @property
    def in_passes(self) -> bool:
        """True if the first subscript counts passes, iterations or visits rather than digits."""
        return self._model.vocabulary[0].subscripts[:1] in ("i", "g")

    @property
    def claims(self) -> int:
        """Number of claims that are checked."""
        return len(self._model.claims)


def _link(multiplier: Multiplier, step: str | int) -> int:
    """The number of a link. Raises ParameterError("step")."""
    chain = multiplier.model.chain
    if chain is None:
        raise ParameterError("step", f"{multiplier.model.id} is one product; only a chain has steps to choose from")
    number, length = parse_integer(step, "step"), chain.length(multiplier.params)
    if not 1 <= number <= length:
        raise ParameterError("step", f"{shown(number)} is outside 1 to {length}, the length of the chain")
    return number
