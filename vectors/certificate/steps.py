# SPDX-License-Identifier: Apache-2.0
"""Traces and cycle tables for a certificate: read, and compared with a second reading of their loops.

The second reading is `limbtrace.vectors.certificate.loops`, which needs SageMath and is handed to the functions here.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby, zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from limbtrace.refmodels.model import step_label
from limbtrace.vectors import cycles, traces
from limbtrace.vectors.cycles.request import CycleRequest
from limbtrace.vectors.cycles.verify import document_request as table_request
from limbtrace.vectors.encoding import hexadecimal, parse_hexadecimal
from limbtrace.vectors.format import Format
from limbtrace.vectors.traces.request import TraceRequest
from limbtrace.vectors.traces.verify import document_request as trace_request
from limbtrace.vectors.validation import DamagedFileError, load_json, open_file

StepFinding = tuple[str, str, str]

STATEMENTS = {
    "step": "of a trace, each step has the value that a second reading of the loop gives it, and no step is missing",
    "column": "of a cycle table of one product, the values of a column come, without repetitions and without zeros of "
    "registers, which may be cleared, in the order of the steps of its name; of more products, each is the value of "
    "such a step of one of them. Which row shows which step is not checked",
    "complete": "of columns of one product that are `complete`, they are all values of these steps, and no other one",
}


class StatedProduct(NamedTuple):
    """A product of a document: operands, with their digits if these matter, stated result and residue."""

    a: int
    b: int
    a_digits: list[int] | None
    b_digits: list[int] | None
    result: int
    residue: int


class Reading(NamedTuple):
    """A trace or a cycle table: what it states, and what can be compared."""

    kind: str
    head: dict[str, Any]
    """The head as the document ought to have it; values are those of the document."""
    multiplier: Any
    products: list[StatedProduct]
    document: dict[str, Any]
    request: TraceRequest | CycleRequest


def read(path: Path) -> Reading | None:
    """The trace or cycle table in a file; None for anything else. Raises ParameterError, DamagedFileError."""
    document = _document(path)
    if document is None:
        return None
    if "rows" in document:
        table = table_request(document)
        return Reading("cycles", table.head, table.core.multiplier, _of_table(document, table), document, table)
    trace = trace_request(document)
    return Reading("trace", trace.head, trace.multiplier, [_of_trace(document, trace)], document, trace)


def _document(path: Path) -> dict[str, Any] | None:
    """A JSON or CSV document with steps or rows."""
    if path.is_dir():
        return None
    with open_file(path) as stream:
        first = stream.readline()
        stream.seek(0)
        if first.startswith(b"{") and b'"group":' not in first and b'"testGroups"' not in first:
            document = load_json(stream)
            return document if ("steps" in document or "rows" in document) and "testGroups" not in document else None
        forms: list[Format[Any]] = [*traces.FORMATS.values(), *cycles.FORMATS.values()]
        for form in forms:
            if form.read is not None and form.recognises(first):
                found: dict[str, Any] = form.read(stream)
                return found
    return None


def _of_trace(document: dict[str, Any], request: TraceRequest) -> StatedProduct:
    head = request.head
    result = _stated(document, "result", head["result"])
    residue = _stated(document, "residue", head["residue"])
    a, b = (_digits(request, head, which) for which in (0, 1))
    return StatedProduct(int(request.a), int(request.b), a, b, result, residue)


def _stated(document: dict[str, Any], name: str, golden: str) -> int:
    """A value of the document; that of the model where the document does not have it."""
    return parse_hexadecimal(document.get(name, golden), name)


def _digits(request: TraceRequest, head: dict[str, Any], which: int) -> list[int] | None:
    """The digits of an operand if they are redundant, otherwise None."""
    stated = head.get(f"{'ab'[which]}_digits") or _represented(head, head.get("digits"), which)
    return None if stated is None else [int(digit, 16) for digit in stated]


def _represented(head: dict[str, Any], shown: Any, which: int) -> Any:
    """The digits of an operand of `redundant`: a has them in the first radix, b in the last one; None of others."""
    if head["model"] != "redundant":
        return None
    return list(shown["ab"[which]].values())[-which]


def _of_table(document: dict[str, Any], request: CycleRequest) -> list[StatedProduct]:
    results = document.get("results", request.head["results"])
    if not isinstance(results, list) or len(results) != len(request.jobs):
        raise DamagedFileError("results", f"there must be {len(request.jobs)} of them")
    products, head = [], request.head
    shown = head.get("digits") or [None] * len(request.jobs)
    for number, (job, stated, digits) in enumerate(zip(request.jobs, results, shown, strict=True)):
        result = parse_hexadecimal(stated, f"results[{number}]")
        residue = request.core.multiplier.residue(result)
        a, b = (_represented(head, digits, which) for which in (0, 1))
        as_numbers = [None if side is None else [int(digit, 16) for digit in side] for side in (a, b)]
        chosen = [list(side.digits) if hasattr(side, "digits") else None for side in (job.a, job.b)]
        a_digits, b_digits = (number or own for number, own in zip(as_numbers, chosen, strict=True))
        products.append(StatedProduct(int(job.a), int(job.b), a_digits, b_digits, result, int(residue)))
    return products


def identity(path: Path, digest: str) -> str:
    """The id of a trace or a table in its certificate, from the digest of its file."""
    return hashlib.sha256(f"{path.suffix} {digest}".encode()).hexdigest()[:32]


def compared(
    loops: ModuleType, reading: Reading, given: Callable[[StatedProduct], Any], found: dict[str, Any]
) -> Iterator[tuple[str, StepFinding]]:
    """(place, finding) of steps or columns that are not right; `found` receives what was read, and what was not.

    `given` makes what a loop is given of a product.
    """
    found |= {"document": reading.kind, "extent": "results", "values": 0, "columns": [], "complete": [], "unread": {}}
    model, head = reading.multiplier.model.id, reading.head
    reason = loops.unread(model, head["form"], head["params"])
    if reason:
        found["unread"] = {"steps": reason}
        return iter(())
    bits = reading.multiplier.params.radix_bits or 0
    products = [given(product) for product in reading.products]
    wrong = chain.from_iterable(_wrong_digits(product, bits, head["params"]) for product in reading.products)
    if reading.kind == "trace":
        return chain(wrong, _compared_steps(loops, reading, products[0], found))
    return chain(wrong, _compared_columns(loops, reading, products, found))


def _wrong_digits(product: StatedProduct, bits: int, params: dict[str, Any]) -> Iterator[tuple[str, StepFinding]]:
    """Digits that do not stand for their operand; the b of `redundant` has digits of its own width."""
    sides = (("a", product.a, product.a_digits, bits), ("b", product.b, product.b_digits, params.get("r2", bits)))
    for name, value, digits, width in sides:
        if digits is not None and sum(digit << width * k for k, digit in enumerate(digits)) != value:
            yield name, ("step", f"digits of {name} = {hexadecimal(value)}", ", ".join(map(hexadecimal, digits)))


_Step = tuple[str, tuple[int, ...]]


def _compared_steps(loops: ModuleType, reading: Reading, given: Any, found: dict[str, Any]) -> Iterator[Any]:
    model, number = reading.multiplier.model.id, reading.document.get("step")
    if number is None:
        steps = loops.LOOPS[model](given)
    else:
        squared, steps = loops.link(given, number)
        stated = reading.document.get("squared", reading.head["squared"])
        if [int(digit) for digit in squared] != [parse_hexadecimal(digit, "squared") for digit in stated]:
            expected = ", ".join(hexadecimal(int(digit)) for digit in squared)
            yield "squared", ("step", expected, ", ".join(map(str, stated)))
    golden: dict[_Step, int] = {(name, index): int(value) for name, index, value in steps}
    found |= {"extent": "every step", "values": len(golden)}
    seen = reading.document["steps"]
    if not isinstance(seen, list):
        raise DamagedFileError("steps", "it is no list")
    for position, entry in enumerate(seen):
        place = f"steps[{position}]"
        if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[1], list):
            raise DamagedFileError(place, "a step is [name, [subscripts], value]")
        at, value = (str(entry[0]), tuple(entry[1])), parse_hexadecimal(entry[2], place)
        label, right = step_label(*at), golden.pop(at, None)
        if right is None:
            yield place, ("step", f"no further {label}", f"{label} = {hexadecimal(value)}")
        elif right != value:
            yield place, ("step", f"{label} = {hexadecimal(right)}", hexadecimal(value))
    for at, missing in golden.items():
        yield "steps", ("step", f"{step_label(*at)} = {hexadecimal(missing)}", "no such step")


def _compared_columns(
    loops: ModuleType, reading: Reading, given: Sequence[Any], found: dict[str, Any]
) -> Iterator[Any]:
    document, model, core = reading.document, reading.multiplier.model.id, reading.head["core"]
    streams: list[dict[str, list[int]]] = []
    for product in given:
        stream: dict[str, list[int]] = {}
        for name, _, value in loops.STREAMS[model](product):
            stream.setdefault(name, []).append(int(value))
        streams.append(stream)
    columns, unread, cells = [], {}, 0
    for place, column in enumerate(document["columns"]):
        if column["step"] is None:
            continue
        name, views = column["name"], _views(loops, reading, column, streams[0])
        if isinstance(views, str):
            unread[name] = views
            continue
        values = [row[place] for row in document["rows"]]
        cell_values = [(k, parse_hexadecimal(v, f"rows[{k}], {name}")) for k, v in enumerate(values) if v is not None]
        columns.append(name)
        cells += len(cell_values)
        for view in views:
            shown = [(row, view.digits(value)) for row, value in cell_values]
            if column["kind"] == "register":
                shown = [(row, digits) for row, digits in shown if any(digits)]
            known = [stream[view.step] for stream in streams]
            if len(known) > 1:
                wrong = _foreign(shown, known)
            elif name in loops.COMPLETE.get(core, ()):
                wrong = _incomplete(shown, known[0], column["kind"] == "register")
            else:
                wrong = _out_of_order(shown, known[0])
            if wrong is not None:
                row, digits = wrong
                wanted = "the next value" if len(known) == 1 else "a value"
                text = ", ".join(map(hexadecimal, digits))
                yield f"rows[{row}]", ("column", f"{name}: {wanted} of step {view.step}", text)
                break
    complete = [name for name in columns if name in loops.COMPLETE.get(core, ()) and len(streams) == 1]
    extent = "values of columns" if columns else "results"
    found |= {"extent": extent, "values": cells, "columns": columns, "complete": complete, "unread": unread}


class _View(NamedTuple):
    """The part of a step in the cells of a column: `values` of its values, each of `width` bits, from bit `low` on."""

    step: str
    low: int
    width: int
    values: int
    top: bool = True
    """True if nothing of the column is above them."""

    def digits(self, value: int) -> tuple[int, ...]:
        """Low value first; bits beyond the column are part of the last one, so that they are wrong there."""
        rest, found = value >> self.low, []
        for _ in range(self.values - self.top):
            found.append(rest & (1 << self.width) - 1)
            rest >>= self.width
        return (*found, rest) if self.top else tuple(found)


def _views(
    loops: ModuleType, reading: Reading, column: dict[str, Any], stream: dict[str, list[int]]
) -> list[_View] | str:
    """The steps that a column shows, or the reason why it is not read."""
    core, name, width = reading.head["core"], column["name"], column["width"]
    parts = column.get("parts") or [column["step"]]
    foreign = next((step for step in parts if step not in stream), None)
    if foreign is not None:
        return f"{foreign} is a step of the circuit and not of the loop"
    if name in loops.PARTIAL.get(core, ()):
        return "it shows part of a step, or more than the step"
    if len(set(parts)) == 1 and width % len(parts) == 0:
        return [_View(parts[0], 0, width // len(parts), len(parts))]
    if len(parts) == 2 and core in loops.DIGITS_BELOW:
        low = reading.multiplier.params.radix_bits
        return [_View(parts[1], 0, low, 1, top=False), _View(parts[0], low, width - low, 1)]
    return "several steps side by side, whose widths the table does not state"


_Cells = Sequence[tuple[int, tuple[int, ...]]]
"""(row, values of a step)"""


def _found(digits: tuple[int, ...], stream: Sequence[int], start: int) -> int:
    """The place from which on values of a step are these, from `start` on; -1 if there is none."""
    last = len(stream) - len(digits)
    return next((k for k in range(start, last + 1) if tuple(stream[k : k + len(digits)]) == digits), -1)


def _out_of_order(shown: _Cells, stream: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """The first cell that does not come next among the values of a step."""
    position = 0
    for digits, rows in groupby(shown, key=lambda cell: cell[1]):
        position = _found(digits, stream, position) + 1
        if position == 0:
            return next(rows)[0], digits
    return None


def _incomplete(shown: _Cells, stream: Sequence[int], register: bool) -> tuple[int, tuple[int, ...]] | None:
    """The first cell that is not the next value of a step, repetitions apart; the last one if some are missing."""
    wanted = [value for value, _ in groupby(value for value in stream if value or not register)]
    seen = [next(rows) for _, rows in groupby(shown, key=lambda cell: cell[1])]
    for cell, value in zip_longest(seen, wanted):
        if cell is None:
            return seen[-1] if seen else (0, ())
        if value is None or cell[1] != (value,):
            return cell
    return None


def _foreign(shown: _Cells, streams: Sequence[Sequence[int]]) -> tuple[int, tuple[int, ...]] | None:
    """The first cell that is not a value of a step in any product."""
    known: set[tuple[int, ...]] = set()
    for row, digits in shown:
        if digits not in known and all(_found(digits, stream, 0) < 0 for stream in streams):
            return row, digits
        known.add(digits)
    return None
