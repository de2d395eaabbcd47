# SPDX-License-Identifier: Apache-2.0
"""Digit-level traces: every intermediate of one product, as JSON, CSV or text."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from refmodels.digits import chosen_digits, redundant_digits
from refmodels.errors import ParameterError, shown
from refmodels.expressions import parse_integer
from refmodels.model import Model, Run, Step, Violation, step_label
from vectors.representations import all_representations, members
from vectors.request import Multiplier
from vectors.wire import FORMAT, dump, hexadecimal

MAX_STEPS = 4_000_000
_CHUNK = 4096


class TraceRequest:
    """One product of which every step is asked for, or one link of a chain."""

    def __init__(
        self,
        multiplier: Multiplier,
        a: str | int,
        b: str | int | None = None,
        max_steps: int = MAX_STEPS,
        step: str | int | None = None,
    ) -> None:
        """`step` is the number of a link, from 1 on, where only that is asked for.

        Raises ParameterError when an operand is out of range or the trace would be longer than `max_steps`.
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

    @property
    def _model(self) -> Model:
        """The model whose steps these are."""
        chain = self.multiplier.model.chain
        return self.multiplier.model if self.step is None or chain is None else chain.link_model

    @cached_property
    def link(self) -> Run | None:
        """The link that is asked for, if it is one."""
        m = self.multiplier
        if self.step is None or m.model.chain is None:
            return None
        return m.model.chain.link(m.params, self.a, self.step)

    def steps(self) -> Iterator[Step]:
        """The steps, made as they are asked for."""
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
        result = self.result
        shown = all_representations(self.multiplier, result)
        operands: dict[str, Any] = {}
        for name, value in (("a", self.a), ("b", self.b)):
            if name in self.multiplier.model.operands:
                operands[name] = hexadecimal(value)
            if (chosen := chosen_digits(value)) and not shown:
                operands[f"{name}_digits"] = [hexadecimal(digit) for digit in chosen]
        if self.link is not None:
            operands |= {
                "step": self.step,
                "squared": [hexadecimal(digit) for digit in redundant_digits(self.link.a, 0, 0)],
            }
        return {
            "format": FORMAT,
            **self.multiplier.head,
            **operands,
            "result": hexadecimal(result),
            "residue": hexadecimal(self.multiplier.residue(result)),
            **members(self.multiplier, self.a, self.b, result),
            **({"representations": shown} if shown else {}),
        }

    def violations(self) -> list[Violation]:
        """Claims of the model that this product breaks."""
        m = self.multiplier
        run = m.model.run(m.params, self.a, self.b) if self.link is None else self.link
        return list(self._model.violations(run))

    @property
    def in_passes(self) -> bool:
        """Whether the first subscript counts passes, iterations or visits, and no digits."""
        return self._model.vocabulary[0].subscripts[:1] in ("i", "g")

    @property
    def claims(self) -> int:
        """How many claims are checked."""
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


def render(request: TraceRequest, format: str) -> Iterator[bytes]:
    """The bytes of a trace in one of FORMATS."""
    return FORMATS[format][1](request)


def _chunks(lines: Iterable[str], separator: str) -> Iterator[bytes]:
    iterator, first = iter(lines), True
    while chunk := list(islice(iterator, _CHUNK)):
        yield (("" if first else separator) + separator.join(chunk)).encode()
        first = False


def _json(request: TraceRequest) -> Iterator[bytes]:
    yield (dump(request.head)[:-1] + ',"steps":[\n').encode()
    yield from _chunks(
        (f'["{name}",[{",".join(map(str, index))}],"{value:#x}"]' for name, index, value in request.steps()), ",\n"
    )
    yield b"\n]}\n"


def _csv(request: TraceRequest) -> Iterator[bytes]:
    count = request.count
    yield (f"# {dump(request.head)}\nname,index,value\n").encode()
    yield from _chunks(
        (f"{name},{' '.join(map(str, index))},{value:#x}" for name, index, value in request.steps()), "\n"
    )
    yield f'\n# {{"end":{count}}}\n'.encode()


def _text(request: TraceRequest) -> Iterator[bytes]:
    """For people: the head as comments, a step a line, passes apart."""
    head = request.head
    operands = [f"# {name} = {head[name]}\n" for name in ("a", "b") if name in head]
    operands += [
        f"# {name} = [{', '.join(head[name])}]\n" for name in ("a_digits", "b_digits", "squared") if name in head
    ]
    operands += [f"# step = {head['step']}\n"] if "step" in head else []
    yield f"# {request.multiplier.title}\n{''.join(operands)}".encode()
    first: tuple[str, int] | None = None
    lines: list[str] = []
    passes = request.in_passes
    for name, index, value in request.steps():
        opens = name == first[0] and index[0] != first[1] if first is not None else bool(index)
        if opens and passes:  # the name that opens the first pass opens all; what has no subscript stands before it
            first = (name, index[0])
            lines.append(f"\n# pass {index[0]}\n")
        lines.append(f"{step_label(name, index):<12} {value:#x}\n")
        if len(lines) > _CHUNK:
            yield "".join(lines).encode()
            lines.clear()
    yield ("".join(lines) + f"\n# result  {head['result']}\n# residue {head['residue']}\n").encode()


FORMATS: dict[str, tuple[str, Callable[[TraceRequest], Iterator[bytes]]]] = {
    "json": ("application/json", _json),
    "csv": ("text/csv", _csv),
    "text": ("text/plain", _text),
}
"""Media type and renderer of each format."""
