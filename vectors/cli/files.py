# SPDX-License-Identifier: Apache-2.0
"""`limbtrace verify`, `cover`, `grade` and `certify`: verdicts, coverage, grades and certificates of files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors import certificate, coverage, grades
from limbtrace.vectors.cli.options import MISMATCH, emit, json_option, output_option, table
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.request import Multiplier, merge_settings
from limbtrace.vectors.verify import verify_file


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--digest", type=click.Path(path_type=Path), help="What `limbtrace digest` wrote, instead of FILE.")
@click.option("--results", type=click.Path(path_type=Path), help="With --digest: the results that it was made of.")
@click.option("--service", metavar="URL", help="With --digest: a service that answers instead of this machine.")
@click.option("--jobs", metavar="N", help="With --digest: processes that compute.")
def verify(file: Path | None, digest: Path | None, results: Path | None, service: str | None, jobs: str | None) -> int:
    """Compare results or any limbtrace document with golden data; exit 1 at a divergence.

    The certificate beside a set of cases (FILE.certificate.json) is shown; exit 1 also if it disagrees with the set.
    Of a digest, one hash is compared, and where it differs, the first case that differs is found by halves.
    """
    if (file is None) == (digest is None):
        raise ParameterError("file", "give either a file or --digest FILE")
    if digest is not None:
        from limbtrace.vectors.cli.digests import verify_digest

        return verify_digest(digest, results, service, jobs)
    for name, value in (("results", results), ("service", service), ("jobs", jobs)):
        if value is not None:
            raise ParameterError(name, "it belongs to --digest")
    assert file is not None
    verdict = verify_file(file)
    click.echo(dump(verdict))
    contested = verdict.get("certificate", {}).get("status") == "disagrees"
    if contested:
        click.echo(f"limbtrace: {verdict['certificate']['detail']}", err=True)
    return MISMATCH if verdict["mismatches"] or contested else 0


@click.command(name="cover")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), required=True)
@json_option
@click.option("--ucis", "as_ucis", is_flag=True, help="XML of the Unified Coverage Interoperability Standard.")
@output_option
def cover_command(files: tuple[Path, ...], as_json: bool, as_ucis: bool, output: Path | None) -> None:
    """Count the events of the model that the cases of vector sets make happen, of several files together.

    Each file is a vector set, or what `cover --json` or `sim --coverage` wrote.
    """
    if as_json and as_ucis:
        raise ParameterError("ucis", "--json and --ucis are two formats: give one of them")
    covered = coverage.cover_files(files)
    if as_json or as_ucis:
        emit(coverage.FORMATS["ucis" if as_ucis else "json"].write(covered), output)
    else:
        emit([_coverage_text(covered.document).encode()], output)


def _coverage_text(d: dict[str, Any]) -> str:
    rows = [["event", "indices hit", "cases", "first case"]]
    for event in d["events"]:
        first = event.get("first")
        where = f"{first['case']} of {first['set']}: {first['event']}" if first else "never"
        rows.append([event["name"], f"{event['hit']} of {event['indices']}", f"{event['cases']}", where])
    hit = sum(event["hit"] > 0 for event in d["events"])
    return table(rows) + f"\n{hit} of {len(d['events'])} events in {d['cases']} cases\n"


@click.command(name="grade")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), required=True)
@click.option("--prime", metavar="P", help="Modulus; a vector set of limbtrace brings its own.")
@click.option("--model", default="modmul", show_default=True, help="What the operands are multiplied by.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A model parameter; repeatable.")
@click.option("--words", type=click.IntRange(2, 1024), multiple=True, metavar="W", help="A width of limbs; repeatable.")
@click.option(
    "--count", type=click.IntRange(1), default=grades.DEFAULT_COUNT, show_default=True, help="Most cases to grade."
)
@json_option
def grade_command(
    files: tuple[Path, ...],
    prime: str | None,
    model: str,
    pairs: tuple[str, ...],
    words: tuple[int, ...],
    count: int,
    as_json: bool,
) -> None:
    """Which mechanisms of hardware vectors show, which faults they find, and operands that would find the others.

    FILES is a vector set of limbtrace, JSON with members a and b at any depth (Wycheproof, ACVP), columns of text, or
    one memory image for each operand.
    """
    multiplier = None if prime is None else Multiplier.resolve(model, prime, merge_settings(None, pairs))
    document = grades.grade(grades.graded(files, multiplier, count), words)
    click.echo(dump(document) if as_json else _grade_text(document), nl=as_json)


def _grade_text(d: dict[str, Any]) -> str:
    title, limited = d["multiplier"]["model"], "the first " * d["more"]
    hardware = (
        _hardware_text(d) if d["mechanisms"] or d["faults"] else f"{title} has events of its own (`limbtrace cover`)\n"
    )
    loop = f"\n{d['no_loop']}\n" if d["loop"] is None else _loop_text(d["loop"])
    found = sum(fault["first"] is not None for fault in d["faults"])
    ends = [f"{found} of {len(d['faults'])} faults"] * bool(d["faults"])
    ends += [] if d["loop"] is None else [f"{d['loop']['killed']} of {d['loop']['judged']} mutants of the loop"]
    widths = f"; limbs of {', '.join(map(str, d['words']))} bits" * bool(d["words"])
    return f"{hardware}{loop}\n{', '.join(ends) or 'nothing is graded'} in {limited}{d['cases']} cases{widths}\n"


def _hardware_text(d: dict[str, Any]) -> str:
    mechanisms = [[m["name"], f"{m['shown']} of {m['places']}", m["hunts"]] for m in d["mechanisms"]]
    by_mechanism: dict[str, list[dict[str, Any]]] = {}
    for fault in d["faults"]:
        by_mechanism.setdefault(fault["mechanism"], []).append(fault)
    rows = [
        [name, f"{sum(fault['first'] is not None for fault in found)} of {len(found)}"]
        for name, found in by_mechanism.items()
    ]
    left = [fault for fault in d["faults"] if fault["first"] is None]
    names = [[f"  {fault['name']}", "" if fault["known"] else "no operands are known"] for fault in left]
    additions = [
        [f"  {entry['a']}", entry["b"] or "", f"{len(entry['faults'])} more: {entry['comment']}"]
        for entry in d["additions"]
    ]
    return (
        table([["mechanism", "shown at", "hunts"], *mechanisms])
        + "\n"
        + table([["faults", "found"], *rows])
        + (f"\nnot found\n{table(names)}" if names else "")
        + (f"\nadd\n{table(additions)}" if additions else "")
    )


_SHOWN = 8
"""Classes of mutants, and survivors, that are written as text."""


def _loop_text(d: dict[str, Any]) -> str:
    """Mutants by kind, the weakest classes, and survivors with operands that kill them."""
    kinds: dict[str, list[int]] = {}
    for entry in d["classes"]:
        counts = kinds.setdefault(entry["kind"], [0, 0])
        counts[0], counts[1] = counts[0] + entry["killed"], counts[1] + entry["mutants"]
    rows = [[kind, f"{killed} of {made}"] for kind, (killed, made) in sorted(kinds.items())]
    weak = [
        [f"  {entry['kind']}", entry["step"], f"{entry['killed']} of {entry['mutants']}"]
        for entry in d["classes"][:_SHOWN]
        if entry["killed"] < entry["mutants"]
    ]
    # Those with operands first, and of each pair of operands all that it kills next to each other.
    ranked = sorted(d["survivors"], key=lambda entry: (entry["a"] is None, entry["comment"] or ""))
    none = f"no operands found in {d['tries']} tries, may be equivalent"
    left = [
        [f"  {entry['mutant']}", entry["a"] or none, entry["b"] or "", entry["comment"] or ""]
        for entry in ranked[:_SHOWN]
    ]
    more = f"  and {len(ranked) - _SHOWN} more (--json)\n" if len(ranked) > _SHOWN else ""
    chosen = "" if d["judged"] == d["mutants"] else f", {d['judged']} of its {d['mutants']} mutants"
    cases = f"the first {d['cases']} cases"
    return (
        "\n"
        + table([["mutants of the loop", f"killed by {cases}; {d['operations']} operations{chosen}"], *rows])
        + (f"\nweakest\n{table(weak)}" if weak else "")
        + (f"\nnot killed\n{table(left)}{more}" if left else "")
    )


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Certificate instead of FILE.certificate.json beside the file or folder; - for standard output.",
)
def certify(file: Path, output: Path | None) -> int:
    """Let SageMath recompute every case of a vector set or in GF(p^2), and certify the result; exit 1 if it disagrees.

    Of a trace every step is read again, of a cycle table the columns that hold steps. This needs the extra `sage`, or a
    SageMath: `sage -python -m limbtrace certify`. It shares no arithmetic with the models.
    """
    target = output or certificate.default_path(file)
    if file.exists() and target.exists() and target.samefile(file):
        raise ParameterError("output", f"{target} is the file to be certified")
    made = []

    def chunks() -> Iterator[bytes]:
        made.append(certificate.certify(file))
        yield certificate.render(made[0])

    emit(chunks(), None if output == Path("-") else target)
    click.echo(f"limbtrace: {certificate.describe(made[0])}", err=True)
    return MISMATCH if made[0].disagreements else 0
