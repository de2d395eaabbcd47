# SPDX-License-Identifier: Apache-2.0
"""Verdicts: results, traces or cycle tables seen somewhere against the golden ones, down to the first divergence."""

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
from vectors.fp2_file import VALUES, Fp2Reader, SeenOperation
from vectors.reading import (
    DamagedFileError,
    VectorReader,
    check_head,
    check_members,
    document_multiplier,
    load_json,
    open_file,
    open_vectors,
    parse_case,
    read_document,
    table_document,
)
from vectors.representations import written
from vectors.request import CoreRequest, Multiplier
from vectors.sets import Case
from vectors.traces import TraceRequest
from vectors.wire import FORMAT, hexadecimal, parse_hexadecimal

COMPARE = ("result", "residue")


def verify_file(path: Path) -> dict[str, Any]:
    """Verdict on a file: a vector set in any format, any other document of ours in JSON or CSV, or a request as JSON.

    What the certificate beside a set of cases says is added to the verdict, and does not change it.
    Raises DamagedFileError when the file was cut short or edited so that it makes no sense.
    """
    verdict = _verify_content(path)
    if verdict["kind"] not in ("vectors", "fp2"):
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
            return verify(table_document(first, stream.read()))
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
        return _verify_fp2(document)
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
    check_head(document, request.head, ("steps", "a", "b", "result", "residue"))
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


def _verify_fp2(document: dict[str, Any]) -> dict[str, Any]:
    """Every operation of every case; what was drawn, or written, are the operands beside them."""
    reader = Fp2Reader(document)
    multiplier, verified = reader.request.multiplier, 0
    divergences: list[dict[str, Any]] = []
    for golden, seen in zip(reader.request.tests(), reader.cases(), strict=True):
        for wanted, found in zip(golden["operations"], seen.operations, strict=True):
            verified += 1
            divergences += _operation_divergences(multiplier, seen.id, wanted, found)
        if not divergences and [hexadecimal(x) for x in seen.result] != golden["result"]:
            raise DamagedFileError(seen.place, "the result is not that of these operations: something was edited")
    return {**_verdict("fp2", multiplier, verified, divergences), "id": reader.request.id}


def _operation_divergences(
    multiplier: Multiplier, case: str, wanted: dict[str, Any], found: SeenOperation
) -> Iterator[dict[str, Any]]:
    """The first of an operation's values that differs, if one does. Raises DamagedFileError for another product."""
    found.check_product(wanted.get("product"))
    x, y = int(wanted["x"], 16), int(wanted["y"], 16)
    for key in VALUES:
        expected, seen = wanted[key], hexadecimal(getattr(found, key))
        if expected != seen:
            signal = wanted["name"] if key == "value" else f"{wanted['name']}.{key}"
            yield _divergence(multiplier, case, x, y, place=found.place, signal=signal, expected=expected, seen=seen)
            return


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
    check_head(document, request.head, ("rows", "columns", "operands", "results"))
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


def document_core(document: dict[str, Any]) -> CoreRequest:
    """The core that a cycle table speaks of, with its shape and its multiplier. Raises ParameterError."""
    if not isinstance(core := document.get("core"), str):
        raise ParameterError("core", f"it is written as the id of a core, not {shown(core)}")
    entry = architecture(core)
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
    form, count = ("[a]", 1) if core.multiplier.model.unary else ("[a, b]", 2)
    operands, starts = document.get("operands"), document.get("starts")
    if not isinstance(operands, list):
        raise ParameterError("operands", f"it must be a list of {form}")
    if starts is None:
        starts = [None] * len(operands)
    if not isinstance(starts, list) or len(starts) != len(operands):
        raise ParameterError("starts", "there must be one start per pair of operands")
    digits = document.get("digits", [None] * len(operands))
    if not isinstance(digits, list) or len(digits) != len(operands):
        raise ParameterError("digits", "there must be one entry per pair of operands")
    jobs = []
    for k, (pair, start, shown_digits) in enumerate(zip(operands, starts, digits, strict=True)):
        if not isinstance(pair, list) or len(pair) != count or (start is not None and type(start) is not int):
            raise ParameterError("operands", f"entry {k} is not {form} with a start cycle")
        numbers = [*(parse_hexadecimal(value, f"operands[{k}]") for value in pair), 0][:2]
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
