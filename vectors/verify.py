# SPDX-License-Identifier: Apache-2.0
"""Verdicts: results, traces or cycle tables seen somewhere against the golden ones, down to the first divergence."""

import io
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from refmodels.architecture import Job
from refmodels.errors import ParameterError, shown
from refmodels.model import step_label
from refmodels.registry import architecture
from refmodels.settings import Settings
from vectors.cycles import CycleRequest
from vectors.fp2 import Fp2Request
from vectors.reading import (
    DamagedFileError,
    VectorReader,
    check_members,
    csv_row,
    document_multiplier,
    load_json,
    open_file,
    open_vectors,
    parse_case,
    read_document,
)
from vectors.representations import written
from vectors.request import CoreRequest, Multiplier
from vectors.sets import Case
from vectors.traces import TraceRequest
from vectors.wire import FORMAT, hexadecimal, parse_hexadecimal

COMPARE = ("result", "residue")


def verify_file(path: Path) -> dict[str, Any]:
    """Verdict on a file: a vector set in any format, a trace or a cycle table in JSON or CSV, or a request as JSON.

    What the certificate beside a vector set says is added to the verdict, and does not change it.
    Raises DamagedFileError when the file was cut short or edited so that it makes no sense.
    """
    verdict = _verify_content(path)
    if verdict["kind"] != "vectors":
        return verdict
    from vectors import certificate  # its documents take a tenth of a second to load

    summary = certificate.beside(path, verdict["id"])
    return verdict if summary is None else {**verdict, "certificate": summary}


def _verify_content(path: Path) -> dict[str, Any]:
    if path.is_dir():
        with open_vectors(path) as reader:
            return _verify_set(reader)
    with open_file(path) as stream:
        first = stream.readline()
        stream.seek(0)
        if first.startswith(b"{") and b'"group":' not in first:
            return verify(load_json(stream))
        if first.startswith(b"# {") and b'"group":' not in first:
            return verify(_table_document(first, stream.read()))
    with open_vectors(path) as reader:
        return _verify_set(reader)


def verify(document: dict[str, Any]) -> dict[str, Any]:
    """Verdict on a document: what it is follows from its members.

    `testGroups`: a vector set; `rows`: a cycle table; `steps`: a trace; `sequence`: products in GF(p^2); `results`:
    results of one's own,
    `{"model", "prime", "radix", "params", "compare": "result" | "residue", "results": [{"a", "b", "result"}]}`, and
    whatever else its maker likes to say. The other kinds are ours to write, so a member that we do not know is an edit.
    Raises ParameterError, DamagedFileError.
    """
    if "testGroups" in document:
        return _verify_set(read_document(document))
    if "rows" in document:
        return _verify_cycles(document)
    multiplier = document_multiplier(document)
    if "steps" in document:
        return _verify_trace(multiplier, document)
    if "sequence" in document:
        return _verify_fp2(multiplier, document)
    if "results" in document:
        return _verify_results(multiplier, document)
    raise ParameterError("results", "the document has none of testGroups, rows, steps, sequence and results")


def _verdict(kind: str, multiplier: Multiplier, verified: int, divergences: list[dict[str, Any]]) -> dict[str, Any]:
    head = {key: value for key, value in multiplier.head.items() if key != "constants"}
    return {
        "format": FORMAT,
        "verdict": "fail" if divergences else "pass",
        "kind": kind,
        **head,
        "verified": verified,
        "mismatches": len(divergences),
        "first_divergence": divergences[0] if divergences else None,
    }


def _divergence(multiplier: Multiplier, case: str, a: int, b: int, **what: Any) -> dict[str, Any]:
    step = what.pop("chosen", None)
    link = "" if step is None else f" --step {step}"
    replay = f"limbtrace trace {multiplier.model.id} {multiplier.options} {multiplier.arguments(a, b)}{link}"
    found = {"cycle": None, "signal": None, "step": None, **what}
    operands = {"a": hexadecimal(a), **({} if multiplier.model.unary else {"b": hexadecimal(b)})}
    return {"case": case, **operands, **found, "replay": replay}


def _compare(
    multiplier: Multiplier, cases: Iterable[tuple[str, Case]], compare: str
) -> tuple[int, list[dict[str, Any]]]:
    """Number of cases and the divergences of their results (or residues)."""
    m, verified, divergences = multiplier, 0, []
    for place, case in cases:
        m.model.check_operands(m.params, case.a, case.b)
        verified += 1
        result = m.model.result(m.params, case.a, case.b)
        pairs = [("residue", m.residue(result), m.residue(case.result))]
        if compare == "result":
            pairs = [("result", result, case.result)]
            if case.residue >= 0:
                pairs.append(("residue", m.residue(result), case.residue))
        pairs += _checkpoints(m, case)
        for signal, expected, seen in pairs:
            if expected != seen:
                divergences.append(
                    _divergence(
                        m,
                        case.id or place,
                        case.a,
                        case.b,
                        place=place,
                        signal=signal,
                        expected=hexadecimal(expected),
                        seen=hexadecimal(seen),
                    )
                )
                break
    return verified, divergences


def _checkpoints(multiplier: Multiplier, case: Case) -> Iterator[tuple[str, int, int]]:
    """(name, golden value, seen value) of the checkpoints of a chain; of none that cannot be one."""
    chain, indices = multiplier.model.chain, [links for links, _ in case.checkpoints or ()]
    if chain is None:
        return
    if indices != sorted(set(indices)) or not all(0 < i <= chain.length(multiplier.params) for i in indices):
        raise ParameterError("checkpoints", "they are increasing numbers of squarings, and none is beyond the chain")
    golden = chain.powers(multiplier.params, case.a, indices)
    for (links, seen), expected in zip(case.checkpoints or (), golden, strict=True):
        yield f"checkpoint {links}", expected, seen


def _verify_set(reader: VectorReader) -> dict[str, Any]:
    reader.check_constants()
    verified, divergences = _compare(reader.multiplier, reader.cases(), "result")
    if not divergences:
        reader.check_digest()
    return {**_verdict("vectors", reader.multiplier, verified, divergences), "id": reader.head["id"]}


def _verify_results(multiplier: Multiplier, document: dict[str, Any]) -> dict[str, Any]:
    entries, compare = document["results"], document.get("compare", "result")
    if compare not in COMPARE:
        raise ParameterError("compare", f"it is {' or '.join(COMPARE)}, not {shown(compare)}")
    if not isinstance(entries, list) or not entries:
        raise ParameterError("results", "it must be a list of at least one {a, b, result}")
    unary = multiplier.model.unary
    cases = ((f"results[{k}]", parse_case(entry, f"results[{k}]", True, unary)) for k, entry in enumerate(entries))
    return _verdict("results", multiplier, *_compare(multiplier, cases, compare))


def _verify_trace(multiplier: Multiplier, document: dict[str, Any]) -> dict[str, Any]:
    a, b = (_operand(multiplier, document, which) for which in (0, 1))
    request = TraceRequest(multiplier, a or 0, b, step=document.get("step"))
    divergent = partial(_divergence, multiplier, chosen=request.step)
    _check_head(document, request.head, ("steps", "a", "b", "result", "residue"))
    seen_steps = document["steps"]
    if not isinstance(seen_steps, list):
        raise DamagedFileError("steps", "it is no list")
    verified, divergences = 0, []
    for position, (golden, seen) in enumerate(zip_longest(request.steps(), seen_steps)):
        place = f"steps[{position}]"
        if golden is None:
            raise DamagedFileError(place, "the trace ends before this step: something was added")
        name, index, value = golden
        label = step_label(name, index)
        if seen is None:
            raise DamagedFileError(place, f"{label} is missing: the trace was cut short")
        if not isinstance(seen, list) or seen[:2] != [name, list(index)] or len(seen) != 3:
            raise DamagedFileError(place, f"{label} comes there, not {shown(seen)}")
        verified += 1
        found = parse_hexadecimal(seen[2], place)
        if found != value:
            divergences.append(
                divergent(
                    place,
                    request.a,
                    request.b,
                    signal=name,
                    step=[name, list(index)],
                    expected=hexadecimal(value),
                    seen=hexadecimal(found),
                )
            )
    for name in ("result", "residue"):
        expected, seen = request.head[name], document.get(name)
        if not divergences and seen is not None and parse_hexadecimal(seen, name) != int(expected, 16):
            divergences.append(divergent(name, request.a, request.b, signal=name, expected=expected, seen=seen))
    return _verdict("trace", multiplier, verified, divergences)


def _verify_fp2(multiplier: Multiplier, document: dict[str, Any]) -> dict[str, Any]:
    """Every operation of every case; what was drawn, or written, are the operands beside them."""
    tests, op = document.get("tests"), document.get("op")
    if not isinstance(tests, list) or not tests or not all(isinstance(test, dict) for test in tests):
        raise DamagedFileError("tests", "it is no list of cases")
    second = "a" if op == "sqr" else "b"
    pairs = [
        (_element(test.get("a"), f"tests[{k}].a"), _element(test.get(second), f"tests[{k}].{second}"))
        for k, test in enumerate(tests)
    ]
    request = Fp2Request.of(multiplier, op, pairs)
    _check_head(document, request.head, ("tests", "seed", "kind"))
    verified = 0
    divergences: list[dict[str, Any]] = []
    for k, (golden, seen) in enumerate(zip(request.tests(), tests, strict=True)):
        operations = seen.get("operations")
        if not isinstance(operations, list) or len(operations) != len(golden["operations"]):
            raise DamagedFileError(f"tests[{k}]", f"it has not the {len(golden['operations'])} operations of {op}")
        for wanted, found in zip(golden["operations"], operations, strict=True):
            verified += 1
            place = f"tests[{k}].{wanted['name']}"
            divergences += _operation_divergences(multiplier, golden["id"], wanted, found, place)
        if not divergences and (seen.get("id"), seen.get("result")) != (golden["id"], golden["result"]):
            raise DamagedFileError(
                f"tests[{k}]", "id or result do not belong to these operations: something was edited"
            )
    return _verdict("fp2", multiplier, verified, divergences)


def _operation_divergences(
    multiplier: Multiplier, case: str, wanted: dict[str, Any], found: Any, place: str
) -> Iterator[dict[str, Any]]:
    """The first of an operation's values that differs, if one does. Raises DamagedFileError for another operation."""
    fixed = ("name", "kind", "product")
    if not isinstance(found, dict) or any(found.get(key) != wanted.get(key) for key in fixed):
        raise DamagedFileError(place, f"{wanted['kind']} {wanted['name']} comes there, not {shown(found)}")
    x, y = int(wanted["x"], 16), int(wanted["y"], 16)
    for key in ("x", "y", "result", "value"):
        expected, seen = wanted[key], hexadecimal(parse_hexadecimal(found.get(key), place))
        if expected != seen:
            signal = wanted["name"] if key == "value" else f"{wanted['name']}.{key}"
            yield _divergence(multiplier, case, x, y, place=place, signal=signal, expected=expected, seen=seen)
            return


def _element(value: Any, place: str) -> tuple[int, int]:
    """x0 and x1 of an element of GF(p^2)."""
    if not isinstance(value, list) or len(value) != 2:
        raise DamagedFileError(place, "an element is written as a list of two integers")
    return parse_hexadecimal(value[0], place), parse_hexadecimal(value[1], place)


def _operand(multiplier: Multiplier, document: dict[str, Any], which: int) -> int | None:
    """An operand of a trace, with its digits where the document says them; None for one that the model has not."""
    name, forms = "ab"[which], multiplier.params.written
    if name not in multiplier.model.operands:
        return None
    value = written(multiplier, which, parse_hexadecimal(document.get(name), name), document.get("digits"))
    member = f"{name}_digits"
    if forms is None or member not in document:
        return value
    if not isinstance(document[member], list):
        raise DamagedFileError(member, "it is no list")
    vector = forms[which].read(name, [parse_hexadecimal(digit, member) for digit in document[member]])
    if vector != value:
        raise DamagedFileError(member, f"these digits are not {name}")
    return vector


def _verify_cycles(document: dict[str, Any]) -> dict[str, Any]:
    request = _cycle_request(document)
    multiplier, columns = request.core.multiplier, request.columns
    names = [column.name for column in columns]
    _check_head(document, request.head, ("rows", "columns", "operands", "results"))
    seen_columns = document.get("columns")
    if (
        not isinstance(seen_columns, list)
        or not all(isinstance(entry, dict) for entry in seen_columns)
        or [entry.get("name") for entry in seen_columns] != names
    ):
        raise DamagedFileError("columns", f"{request.core.architecture.id} has {', '.join(names)}")
    for entry, column_info in zip(seen_columns, columns, strict=True):
        check_members(entry, column_info.document, f"columns, {column_info.name}")
    if not isinstance(document["rows"], list):
        raise DamagedFileError("rows", "it is no list")
    verified, divergences = 0, []
    for number, (golden, seen) in enumerate(zip_longest(request.rows(), document["rows"])):
        cycle, place = request.first_cycle + number, f"rows[{number}]"
        if golden is None:
            raise DamagedFileError(place, "the table ends before this row: something was added")
        if seen is None:
            raise DamagedFileError(place, "the row is missing: the table was cut short")
        if not isinstance(seen, list) or len(seen) != len(names):
            raise DamagedFileError(place, f"a row has {len(names)} cells")
        verified += 1
        for column, (expected, cell) in enumerate(zip(golden, seen, strict=True)):
            if expected is None or parse_hexadecimal(cell, f"{place}, {names[column]}") == expected:
                continue
            divergences.append(_cell_divergence(request, cycle, column, expected, cell))
            break
    if not divergences and "results" in document:
        divergences += _product_divergences(request, document["results"])
    own = {"params": request.core.head["params"], "core": request.core.architecture.id}
    return {**_verdict("cycles", multiplier, verified, divergences), **own}


def _product_divergences(request: CycleRequest, seen: Any) -> Iterator[dict[str, Any]]:
    m, results = request.core.multiplier, request.head["results"]
    if not isinstance(seen, list) or len(seen) != len(results):
        raise DamagedFileError("results", f"there must be {len(results)} of them")
    for number, (job, expected, found) in enumerate(zip(request.jobs, results, seen, strict=True)):
        if parse_hexadecimal(found, f"results[{number}]") != int(expected, 16):
            yield _divergence(m, f"product {number}", job.a, job.b, signal="result", expected=expected, seen=found)


def _check_head(document: dict[str, Any], golden: dict[str, Any], content: tuple[str, ...]) -> None:
    """What a document says of itself, beyond its `content`, must be true; it need not say all.

    What names the multiplier may be written in other ways than ours: whoever resolved it has seen to it.
    """
    seen = {name: value for name, value in document.items() if name not in content}
    if isinstance(seen.get("constants"), dict):
        check_members(seen.pop("constants"), golden["constants"], "constants")
    if isinstance(prime := seen.get("prime"), dict):
        said = {name: value for name, value in prime.items() if name != "modulus" and (name, value) != ("name", None)}
        check_members(said, golden["prime"], "prime")
    check_members(seen, {**golden, **{name: seen.get(name) for name in _RESOLVED}}, "the document")


_RESOLVED = ("format", "model", "core", "form", "prime", "radix", "params")
"""Members by which a document names its multiplier."""


def document_core(document: dict[str, Any]) -> CoreRequest:
    """The core that a cycle table speaks of, with its shape and its multiplier. Raises ParameterError."""
    entry = architecture(str(document.get("core")))
    model, params = document.get("model"), document.get("params")
    if model != entry.model.id:
        raise ParameterError("model", f"{entry.id} computes {entry.model.id}, and the document says {shown(model)}")
    if isinstance(params, dict):
        Settings(entry.id, entry.parameters, params)  # one sentence that names all parameters
    models, own = entry.divide(params) if isinstance(params, dict) else (params, {})
    multiplier = document_multiplier({**document, "params": models})
    return CoreRequest.resolve(entry.id, multiplier.modulus.modulus, {**multiplier.settings, **own})


def _cycle_request(document: dict[str, Any]) -> CycleRequest:
    core = document_core(document)
    operands, starts = document.get("operands"), document.get("starts")
    if not isinstance(operands, list):
        raise ParameterError("operands", "it must be a list of [a, b]")
    if starts is None:
        starts = [None] * len(operands)
    if not isinstance(starts, list) or len(starts) != len(operands):
        raise ParameterError("starts", "there must be one start per pair of operands")
    digits = document.get("digits", [None] * len(operands))
    if not isinstance(digits, list) or len(digits) != len(operands):
        raise ParameterError("digits", "there must be one entry per pair of operands")
    jobs = []
    for k, (pair, start, shown_digits) in enumerate(zip(operands, starts, digits, strict=True)):
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(start, int | None):
            raise ParameterError("operands", f"entry {k} is not [a, b] with a start cycle")
        numbers = (parse_hexadecimal(value, f"operands[{k}]") for value in pair)
        a, b = (written(core.multiplier, which, value, shown_digits) for which, value in enumerate(numbers))
        jobs.append(Job(a, b, start))
    return CycleRequest(core, jobs)


def _cell_divergence(request: CycleRequest, cycle: int, column: int, expected: int, seen: Any) -> dict[str, Any]:
    number, step = request.behind(column, cycle)
    job = request.jobs[number]
    return _divergence(
        request.core.multiplier,
        f"product {number}",
        job.a,
        job.b,
        cycle=cycle,
        signal=request.columns[column].name,
        step=None if step is None else [step[0], list(step[1])],
        expected=hexadecimal(expected),
        seen=str(seen),
    )


def _table_document(first: bytes, content: bytes) -> dict[str, Any]:
    """The JSON document that a trace or cycle table in CSV stands for. Raises DamagedFileError."""
    try:
        lines = content.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise DamagedFileError("the file", "this is no text") from None
    document = load_json(io.BytesIO(first.removeprefix(b"# ")))
    if len(lines) < 3 or not content.endswith(b"\n") or not lines[-1].startswith('# {"end"'):
        raise DamagedFileError(f"after line {len(lines)}", "the end of the table is missing: the file was cut short")
    body = [csv_row(line, f"line {number}") for number, line in enumerate(lines[2:-1], 3)]
    end = load_json(io.BytesIO(lines[-1].removeprefix("# ").encode()))
    if end != {"end": len(body)}:
        raise DamagedFileError(f"line {len(lines)}", f"it says {shown(end)}, and {len(body)} rows are here")
    if "core" in document:
        return {**document, "rows": list(_csv_cells(lines[1], body, document))}
    return {**document, "steps": list(_csv_steps(lines[1], body))}


def _csv_cells(names: str, body: list[list[str]], document: dict[str, Any]) -> Iterator[list[str | None]]:
    columns = document.get("columns")
    known = [entry.get("name") for entry in columns if isinstance(entry, dict)] if isinstance(columns, list) else []
    if names.split(",") != ["cycle", *known]:
        raise DamagedFileError("line 2", "the names are not those of the columns")
    first_cycle = document.get("first_cycle")
    for number, row in enumerate(body):
        if not isinstance(first_cycle, int) or row[:1] != [str(first_cycle + number)]:
            raise DamagedFileError(f"line {number + 3}", "this is not the row of the next cycle")
        yield [cell or None for cell in row[1:]]


def _csv_steps(names: str, body: list[list[str]]) -> Iterator[list[Any]]:
    if names != "name,index,value":
        raise DamagedFileError("line 2", "the columns are not name,index,value")
    for number, row in enumerate(body, 3):
        if len(row) != 3 or not re.fullmatch(r"(-?[0-9]{1,9}( -?[0-9]{1,9})*)?", row[1]):
            raise DamagedFileError(f"line {number}", "a row has a name, subscripts and a value")
        yield [row[0], [int(k) for k in row[1].split()], row[2]]
