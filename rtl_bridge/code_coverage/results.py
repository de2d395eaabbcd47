# SPDX-License-Identifier: Apache-2.0
"""Code coverage as files: LCOV, a page, a summary in text and in JSON."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.code_coverage.counted import CountedCode, CountedPoint, LineCount, line_counts
from limbtrace.rtl_bridge.code_coverage.points import BRANCH, EXPRESSION, LINE, TOGGLE
from limbtrace.rtl_bridge.code_coverage.signals import joined
from limbtrace.rtl_bridge.pages.offline import offline_page
from limbtrace.vectors.code_coverage import CodeCoverage, CodeFile, CodeKinds, CodePoints
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.files import write_directory

LCOV = "coverage.info"
"""The file that marks a folder as one of ours."""
_KINDS = (LINE, BRANCH, EXPRESSION, TOGGLE)


def write_coverage(folder: Path, counted: CountedCode) -> dict[str, Any]:
    """Write the files of one core into a folder; returns its CodeCoverage. Raises OutputError, ToolError."""
    document: dict[str, Any] = coverage_document(counted)
    write_directory(folder, coverage_files(counted, document), LCOV)
    return document


def coverage_files(counted: CountedCode, document: dict[str, Any], below: str = "") -> list[tuple[str, list[bytes]]]:
    """Names, in the folder `below`, and contents of the files of one core."""
    texts = {
        LCOV: lcov(counted),
        "index.html": page(counted, document),
        "coverage.json": dump({"code_coverage": document}) + "\n",
        "coverage.txt": coverage_text(document),
    }
    return [(f"{below}{name}", [text.encode()]) for name, text in texts.items()]


def by_file(counted: CountedCode) -> Iterator[tuple[str, list[CountedPoint]]]:
    """Each source with its points, in order."""
    for name, points in groupby(counted.points, key=lambda each: each.point.file):
        yield name, list(points)


def coverage_document(counted: CountedCode) -> Any:
    """A CodeCoverage. Raises ToolError where Verilator wrote no counts."""
    core = counted.core
    if core is None:
        raise ToolError("Verilator wrote no counts of code coverage, since the simulation ended before it could")
    files = [(name, _kinds(points)) for name, points in by_file(counted)]
    return members(
        CodeCoverage,
        core=core.file.name,
        runs=counted.runs,
        uncounted=counted.uncounted,
        total=members(CodeKinds, **_sums([kinds for _, kinds in files])),
        files=[members(CodeFile, **kinds, file=name) for name, kinds in files],
        notes=counted.notes,
    )


def _kinds(points: list[CountedPoint]) -> dict[str, Any]:
    """The points of one source by their kinds."""
    own: dict[str, list[CountedPoint] | list[LineCount]] = {LINE: list(line_counts(points))}
    for kind in _KINDS[1:]:
        own[kind] = [each for each in points if each.point.kind == kind]
    return {kind: _points(entries) for kind, entries in own.items() if entries}


def _points(entries: Sequence[CountedPoint] | Sequence[LineCount]) -> Any:
    return members(
        CodePoints,
        hit=sum(entry.hits > 0 for entry in entries),
        total=len(entries),
        unreachable=sum(bool(entry.reason) for entry in entries),
    )


def _sums(files: list[dict[str, Any]]) -> dict[str, Any]:
    """The points of all sources by their kinds."""
    found = {}
    for kind in _KINDS:
        own = [kinds[kind] for kinds in files if kind in kinds]
        if own:
            found[kind] = members(CodePoints, **{name: sum(each[name] for each in own) for name in CodePoints.names()})
    return found


def share(points: dict[str, Any] | None) -> str:
    """Points in words; a dash for a kind without any."""
    if points is None:
        return "-"
    beyond = f", {points['unreachable']} unreachable" if points["unreachable"] else ""
    return f"{points['hit']} of {points['total']}{beyond}"


def coverage_text(document: dict[str, Any]) -> str:
    """The summary for people: a line for each source, and one for all."""
    rows = [["", *_KINDS]]
    rows += [[each["file"], *(share(each.get(kind)) for kind in _KINDS)] for each in document["files"]]
    rows.append(["all", *(share(document["total"].get(kind)) for kind in _KINDS)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    runs = document["runs"]
    head = f"code coverage of {document['core']}, {runs} simulation{'' if runs == 1 else 's'}:"
    uncounted = document["uncounted"]
    left = [f"without those of {uncounted} that ended before they were counted"] if uncounted else []
    return "".join(f"{line}\n" for line in [head, *table, *left, *document.get("notes", [])])


def lcov(counted: CountedCode) -> str:
    """Lines and branches as a tracefile of LCOV, which has no records for the other kinds."""
    return "".join(f"{line}\n" for name, points in by_file(counted) for line in _tracefile(name, points))


def _tracefile(name: str, points: list[CountedPoint]) -> Iterator[str]:
    yield from ("TN:", f"SF:{name}")
    branches = [each for each in points if each.point.kind == BRANCH]
    for line, own in groupby(branches, key=lambda each: each.point.line):
        for at, each in enumerate(own):
            yield f"BRDA:{line},0,{at},{each.hits}"
    yield f"BRF:{len(branches)}"
    yield f"BRH:{sum(each.hits > 0 for each in branches)}"
    lines = list(line_counts(points))
    for each_line in lines:
        yield f"DA:{each_line.line},{each_line.hits}"
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(each.hits > 0 for each in lines)}"
    yield "end_of_record"


def page(counted: CountedCode, document: dict[str, Any]) -> str:
    """A page that needs nothing else: each source with its counts, and the points that were not hit."""
    texts = counted.texts()
    sources = [{"name": name, "rows": _rows(texts[name], points)} for name, points in by_file(counted)]
    return offline_page(Path(__file__).parent, code=document, kinds=_KINDS, share=share, sources=sources)


def _rows(text: str, points: list[CountedPoint]) -> list[dict[str, Any]]:
    """The lines of a source, each with its count, a class, and what was not hit at it."""
    counts = {each.line: each for each in line_counts(points)}
    missed: dict[int, list[CountedPoint]] = {}
    for each in points:
        if not each.hits:
            missed.setdefault(each.point.line, []).append(each)
    return [
        {
            "number": number,
            "count": "" if number not in counts else counts[number].hits,
            "mark": _mark(counts.get(number), missed.get(number, [])),
            "missed": list(_missed(missed.get(number, []))),
            "text": line,
        }
        for number, line in enumerate(text.split("\n"), 1)
    ]


def _mark(line: LineCount | None, missed: list[CountedPoint]) -> str:
    """Class of a line on the page."""
    if line is not None and not line.hits:
        return "unreachable" if line.reason else "missed"
    if any(not each.reason for each in missed):
        return "partly"
    return "hit" if line is not None else ""


def _missed(points: list[CountedPoint]) -> Iterator[str]:
    """The points of a line that were not hit, in words: kind by kind, those that are unreachable last."""
    for reason in ("", *sorted({each.reason for each in points} - {""})):
        for kind in _KINDS:
            own = [each.point.what for each in points if each.point.kind == kind and each.reason == reason]
            if own:
                said = ", ".join(joined(own) if kind == TOGGLE else dict.fromkeys(own))
                yield f"{'unreachable' if reason else 'not hit'}: {kind} {said}{f' ({reason})' if reason else ''}"
