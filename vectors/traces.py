# SPDX-License-Identifier: Apache-2.0
"""Digit-level traces: every intermediate of one product, as JSON, CSV or text."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from refmodels.errors import ParameterError
from refmodels.model import Step, Violation, step_label
from vectors.representations import all_representations, members
from vectors.request import Multiplier
from vectors.wire import FORMAT, dump, hexadecimal

MAX_STEPS = 4_000_000
_CHUNK = 4096


class TraceRequest:
    """One product of which every step is asked for."""

    def __init__(self, multiplier: Multiplier, a: str | int, b: str | int, max_steps: int = MAX_STEPS) -> None:
        """Raises ParameterError when an operand is out of range or the trace would be longer than `max_steps`."""
        self.multiplier = multiplier
        self.a, self.b = multiplier.operand("a", a), multiplier.operand("b", b, 1)
        m = multiplier
        m.model.check_operands(m.params, self.a, self.b)
        count = m.model.step_count(m.params)
        if count > max_steps:
            name = "radix" if m.radix else "prime"
            raise ParameterError(name, f"the trace would have {count} steps and the limit is {max_steps}")

    def steps(self) -> Iterator[Step]:
        """The steps, made as they are asked for."""
        m = self.multiplier
        return m.model.steps(m.params, *m.params.split(self.a, self.b))

    @property
    def result(self) -> int:
        m = self.multiplier
        return m.model.result(m.params, self.a, self.b)

    @property
    def head(self) -> dict[str, Any]:
        """The document without its steps."""
        result = self.result
        shown = all_representations(self.multiplier, result)
        return {
            "format": FORMAT,
            **self.multiplier.head,
            "a": hexadecimal(self.a),
            "b": hexadecimal(self.b),
            "result": hexadecimal(result),
            "residue": hexadecimal(result % self.multiplier.modulus.modulus),
            **members(self.multiplier, self.a, self.b, result),
            **({"representations": shown} if shown else {}),
        }

    def violations(self) -> list[Violation]:
        """Claims of the model that this product breaks."""
        m = self.multiplier
        return list(m.model.violations(m.model.run(m.params, self.a, self.b)))


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
    count = request.multiplier.model.step_count(request.multiplier.params)
    yield (f"# {dump(request.head)}\nname,index,value\n").encode()
    yield from _chunks(
        (f"{name},{' '.join(map(str, index))},{value:#x}" for name, index, value in request.steps()), "\n"
    )
    yield f'\n# {{"end":{count}}}\n'.encode()


def _text(request: TraceRequest) -> Iterator[bytes]:
    """For people: the head as comments, a step a line, passes apart."""
    head = request.head
    yield f"# {request.multiplier.title}\n# a = {head['a']}\n# b = {head['b']}\n".encode()
    first: tuple[str, int] | None = None
    lines: list[str] = []
    for name, index, value in request.steps():
        opens = name == first[0] and index[0] != first[1] if first is not None else bool(index)
        if opens:  # the name that opens the first pass opens all; what has no subscript stands before it
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
