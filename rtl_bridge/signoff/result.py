# SPDX-License-Identifier: Apache-2.0
"""A sign-off as files: a JSON document, a page, text."""

from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.code_coverage.results import coverage_document, coverage_files
from limbtrace.rtl_bridge.pages.offline import offline_page
from limbtrace.rtl_bridge.signoff.items import OPEN, PASSED, TIMED_OUT, SignoffItem, exit_code
from limbtrace.rtl_bridge.signoff.run import SignoffResult
from limbtrace.rtl_bridge.signoff.simulations import groups
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.files import write_file
from limbtrace.vectors.signoff import SignoffDocument, SignoffEntry

CODE_FOLDER = "code/"
VERDICTS = {0: "agrees", 1: "differs", 3: "failed"}
"""By exit code."""
_SENTENCES = {
    "agrees": "All that ran agrees with the golden data.",
    "differs": "Something differs from the golden data.",
    "failed": "A tool failed, or nothing ran; nothing that ran differs.",
}


def _sentence(document: dict[str, Any]) -> str:
    """The verdict in words; an entry that ran and decides nothing does not agree."""
    undecided = sum(item["status"] in (OPEN, TIMED_OUT) for item in document["items"])
    if document["verdict"] != "agrees" or not undecided:
        return _SENTENCES[document["verdict"]]
    entries = "entry is" if undecided == 1 else "entries are"
    return f"Nothing differs from the golden data; {undecided} {entries} undecided."


def signoff_document(result: SignoffResult) -> dict[str, Any]:
    """A SignoffDocument."""
    bound = result.bound
    head: Any = bound.head
    verdict: Any = VERDICTS[exit_code(result.items)]
    document: dict[str, Any] = members(
        SignoffDocument,
        format=FORMAT,
        core=bound.core.file.name,
        multiplier=head,
        parameters=dict(bound.parameters),
        verdict=verdict,
        covered=sum(item.status == PASSED for item in result.items),
        items=[*map(_entry, result.items)],
        not_tried=result.not_tried,
        differences=result.differences,
        code_coverage=None if result.code is None else coverage_document(result.code),
    )
    return document


def _entry(item: SignoffItem) -> Any:
    return members(
        SignoffEntry,
        group=item.group,
        name=item.name,
        status=item.status,
        reason=item.reason,
        products=item.products,
        detail=item.detail,
    )


def write_signoff(folder: Path, result: SignoffResult) -> dict[str, Any]:
    """Write the files into the folder of a sign-off; returns the document. Raises OutputError."""
    document = signoff_document(result)
    write_file(folder / "signoff.json", [f"{dump(document)}\n".encode()])
    write_file(folder / "index.html", [signoff_page(result, document).encode()])
    if result.code is not None:
        (folder / CODE_FOLDER).mkdir(exist_ok=True)
        for name, content in coverage_files(result.code, document["code_coverage"], CODE_FOLDER):
            write_file(folder / name, content)
    return document


def signoff_page(result: SignoffResult, document: dict[str, Any]) -> str:
    """The page, which needs nothing else. What comes from cores is escaped."""
    passed = [item for item in result.items if item.status == PASSED]
    others = [item for item in result.items if item.status != PASSED]
    return offline_page(
        Path(__file__).parent,
        signoff=document,
        sentence=_sentence(document),
        title=result.bound.multiplier.title,
        passed=groups(passed),
        others=groups(others),
        code=CODE_FOLDER if result.code is not None else "",
    )


def signoff_text(document: dict[str, Any]) -> str:
    """The sign-off for people: counts by group, what is not covered, and what nothing tried."""
    items = document["items"]
    lines = [f"{document['core']}: {document['covered']} of {len(items)} entries are covered. "
             f"{_sentence(document)}"]  # fmt: skip
    lines += [f"  {item['group']}: {item['name']}: {_why(item)}" for item in items if item["status"] != PASSED]
    lines += [f"  {item['group']}: {item['detail']}" for item in items if item.get("detail")]
    lines += document["differences"]
    if document["not_tried"]:
        lines.append(f"not tried by any simulation: {', '.join(document['not_tried'])}")
    return "".join(f"{line}\n" for line in lines)


def _why(item: dict[str, Any]) -> str:
    reason = item.get("reason")
    return f"{item['status']}: {reason}" if reason else str(item["status"])
