# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.rejections`: writes docs/reference/rejections.md from the table of rejections."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from limbtrace.rtl_bridge.flow.rejections import BOTH, Rejection, ReportedRejection, rejections

OUTPUT = Path(__file__).parents[1] / "docs" / "reference" / "rejections.md"


def page() -> str:
    """The page."""
    rules = list(rejections().values())
    reports = [report for rule in rules for report in rule.reports]
    checked = [rule for rule in rules if not rule.unchecked]
    reported = [rule for rule in rules if rule.reports]
    head = f"""# SystemVerilog that tools reject

Written by `python -m tools.rejections` from `rtl_bridge/flow/rejections.toml`.

{len(reports)} public reports about {len(reported)} constructs that a synthesis tool or a simulator rejected, and
{len(rules) - len(reported)} constructs that a manual or a free tool rules out. None of the commercial tools was run
here: a report says what one version of a tool did with one source, later versions may take it, and what is not in the
table may be rejected too.

`./run check` looks for {len(checked)} of the constructs in every core, testbench and generated shell, and tests look
for them in exports and libraries. `limbtrace doctor --rtl PATH` looks for them in other sources: a core with a
`core.toml`, a folder, or a file. It exits with 1 if it finds one.

"""
    rows = (
        (f"[`{rule.id}`](#{rule.id})", rule.what, rule.instead, ", ".join(dict.fromkeys(_tools(rule))))
        for rule in rules
    )
    return head + _rows(("rule", "construct", "instead", "rejected by"), rows) + "".join(map(_section, rules))


def _rows(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """A table whose cells are text with code in backquotes."""
    lines = (head, ("---",) * len(head), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def _tools(rule: Rejection) -> Iterator[str]:
    for report in rule.reports:
        yield " ".join(filter(None, (report.tool, report.version)))
    if not rule.reports:
        yield rule.because


def _section(rule: Rejection) -> str:
    where = "Hardware and testbenches" if rule.scope == BOTH else "Hardware alone"
    parts = [f"## {rule.id}\n\n{rule.what[0].upper()}{rule.what[1:]}. {where}. Instead: {rule.instead}.\n\n"]
    if rule.because:
        parts.append(f"Without a report: {rule.because}.\n\n")
    if rule.unchecked:
        parts.append(f"Not checked: {rule.unchecked}.\n\n")
    if rule.reports:
        rows = [(r.tool, r.version or "not named", _message(r), _link(r)) for r in rule.reports]
        parts.append(_rows(("tool", "version", "message", "report"), iter(rows)))
    language = "verilog" if rule.file.endswith(".v") else "systemverilog"
    for what, text in (("Breaks the rule", rule.breaks), ("Does not", rule.holds)):
        parts.append(f"{what}:\n\n```{language}\n{text}```\n\n")
    return "".join(parts)


def _message(report: ReportedRejection) -> str:
    """The words of the tool as code, those of the report as text."""
    is_literal = re.match(
        r"\[|\(v|Error|ERROR|error: |Warning|ncvlog|xmvlog|The construct|Illegal|Unsupported", report.message
    )
    return f"`{report.message}`" if is_literal else report.message


def _link(report: ReportedRejection) -> str:
    """The address with a short name."""
    short = report.source.removeprefix("https://").removeprefix("github.com/")
    for kind in ("/issues/", "/pull/"):
        short = short.replace(kind, "#")
    return f"[{unquote(short)}]({report.source})"


def main() -> None:
    OUTPUT.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
