# SPDX-License-Identifier: Apache-2.0
"""The command line. Data alone on standard output; exit 0 good, 1 mismatch, 2 wrong request, 3 a tool failed."""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points, version
from pathlib import Path
from types import FrameType
from typing import Any, TextIO, TypeVar

import click

from refmodels.errors import ParameterError
from refmodels.fp2 import SEQUENCES
from refmodels.model import step_label
from vectors import catalogue, cycles, formats, fp2, tables, traces
from vectors.errors import ToolError
from vectors.files import write_directory, write_file
from vectors.progress import Progress
from vectors.request import EVERY_KIND, CoreRequest, Multiplier, VectorRequest, drawn_by, merge_settings
from vectors.sets import BATCH, VectorSet
from vectors.source import cycle_request
from vectors.verify import verify_file
from vectors.wire import dump

MISMATCH, WRONG, FAILED = 1, 2, 3
MAX_SENTENCE = 2000
"""Characters of an error message, which may quote the log of a tool."""

_F = TypeVar("_F", bound=Callable[..., Any])


class _ClosedPipeError(Exception):
    """Nobody reads standard output any more; apart from OSError, of which click makes exit 1, a mismatch."""


class _Group(click.Group):
    """The built-in commands and those that other packages mount by entry point `limbtrace.commands`."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ClosedPipeError from None

    @staticmethod
    def _mounted() -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(group="limbtrace.commands")}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *sorted(self._mounted())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command is None and (entry := self._mounted().get(cmd_name)) is not None:
            try:
                command = entry.load()
            except ModuleNotFoundError as error:
                return _unavailable(cmd_name, error.name or "a package")
        return command


def _unavailable(name: str, missing: str) -> click.Command:
    extra = {"serve": "service", "export": "sim", "reports": "sim"}.get(name, name)
    sentence = f"{name} needs {missing}, which is not installed: pip install 'limbtrace[{extra}]'"

    @click.command(name, help=sentence, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
    def command() -> None:
        raise ToolError(sentence)

    return command


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: run a command and turn every error into one sentence and an exit code."""
    _open_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _terminated)
    try:
        sys.exit(_run(arguments))
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # the exit code is left
                _drop(stream)


def _run(arguments: Sequence[str] | None) -> int:
    """The exit code of a command, whose errors are on standard error."""
    try:
        code = cli.main(arguments, prog_name="limbtrace", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        with suppress(OSError):  # the exit code is left
            click.echo(error.format_message(), err=True)
        code = WRONG
    except click.ClickException as error:
        code = _fail(error.format_message(), WRONG)
    except click.Abort:
        code = _fail("interrupted", 130)
    except ParameterError as error:
        code = _fail(str(error), WRONG)
    except (_ClosedPipeError, BrokenPipeError):
        _drop(sys.stdout)
        code = 141
    except ToolError as error:
        code = _fail(str(error), FAILED)
    except MemoryError:
        code = _fail("there is not enough memory for this", FAILED)
    except OSError as error:
        _drop(sys.stdout)
        code = _fail(f"{error.filename or 'output'}: {error.strerror or error}", FAILED)
    return code if isinstance(code, int) else 0


def _open_streams() -> None:
    """What the caller closed: messages go nowhere; data cannot be written, which is an error where there is any."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _drop(stream: TextIO) -> None:
    """What is still buffered goes nowhere; else Python would try it once more at its end, and exit with 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _terminated(number: int, _: FrameType | None) -> None:
    """End as after an interrupt: temporary files are removed and children stopped on the way out."""
    sys.exit(128 + number)


def _fail(sentence: str, code: int) -> int:
    sentence = " ".join(sentence.split())
    if len(sentence) > MAX_SENTENCE:
        sentence = f"{sentence[:MAX_SENTENCE]}..."
    with suppress(OSError):  # the exit code is left
        print("limbtrace:", sentence, file=sys.stderr)
    return code


def modulus_options(command: _F) -> _F:
    """--prime, --radix and --set of every command about a core."""
    return _multiplier_options(command, True)


def model_options(command: _F) -> _F:
    """The same of every command about a model, which may have no modulus."""
    return _multiplier_options(command, False)


def _multiplier_options(command: _F, prime_required: bool) -> _F:
    for option in (
        click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A model parameter; repeatable."),
        click.option("--radix", metavar="2^K", help="Radix of the digits that the model scans."),
        click.option(
            "--prime", required=prime_required, metavar="P", help="Name, integer or expression like 2^255-19."
        ),
    ):
        command = option(command)
    return command


def set_options(command: _F) -> _F:
    """--count, --seed and --kind of operands that are drawn; None where not given: the operands may be instead."""
    for option in (
        click.option("--kind", metavar="KIND", help=f"{', '.join(EVERY_KIND)}; default mixed."),
        click.option("--seed", metavar="S", help="Seed of the operands; default 1."),
        click.option("--count", metavar="N", help="Products; default 16, of `cycles` those of --operands."),
    ):
        command = option(command)
    return command


def format_option(names: Iterable[str]) -> Callable[[_F], _F]:
    names = list(names)
    return click.option("--format", "form", type=click.Choice(names), default=names[0], show_default=True)


output_option = click.option("-o", "--output", type=click.Path(path_type=Path), help="File instead of standard output.")


def emit(chunks: Iterable[bytes], output: Path | None) -> None:
    """Chunks to a file (whole or not at all) or to standard output."""
    if output is not None:
        write_file(output, chunks)
        return
    for chunk in chunks:
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(version("limbtrace"), prog_name="limbtrace")
def cli() -> None:
    """Golden reference for modular-multiplier hardware: models, vectors, traces, lock-step simulation."""


def _table(rows: Iterable[Sequence[str]]) -> str:
    rows = [list(row) for row in rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    return "".join(
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip() + "\n"
        for row in rows
    )


def _print(document: dict[str, Any], as_json: bool, text: Callable[[dict[str, Any]], str]) -> None:
    click.echo(dump(document) if as_json else text(document), nl=as_json)


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


@cli.command()
@click.argument("model", required=False)
@json_option
def models(model: str | None, as_json: bool) -> None:
    """List the models, or describe one: parameters, ranges, trace vocabulary, claims."""
    if model is None:
        _print(
            catalogue.models_document(),
            as_json,
            lambda d: _table([m["id"], m["title"], m["source"]] for m in d["models"]),
        )
    else:
        _print(catalogue.model_document(model), as_json, _model_text)


def _model_text(d: dict[str, Any]) -> str:
    return (
        f"{d['id']}: {d['title']}\n{d['source']}\nforms: {', '.join(d['forms'])}\n\noperands\n"
        + _table([f"  {name}", text] for name, text in d["operands"].items())
        + "\nparameters\n"
        + _parameters_text(d["parameters"])
        + "\nsteps\n"
        + _table([f"  {step_label(s['name'], s['index'])}", s["range"], s["meaning"]] for s in d["steps"])
        + "\nclaims (checked by --check)\n"
        + _table([f"  {c['step'] or 'result'}", c["statement"], c["reference"]] for c in d["claims"])
        + (f"\nerrata: {', '.join(d['errata'])}\n" if d["errata"] else "")
    )


def _parameters_text(parameters: list[dict[str, Any]]) -> str:
    return _table(
        [f"  {', '.join([p['name'], *p['aliases']])}", f"default {p['default']}", p["range"], p["meaning"]]
        for p in parameters
    )


@cli.command()
@click.argument("name", required=False)
@json_option
def primes(name: str | None, as_json: bool) -> None:
    """List the catalogue of moduli, or show one (any name, number or expression)."""
    if name is None:
        _print(
            catalogue.primes_document(),
            as_json,
            lambda d: _table([p["name"], f"{p['bits']} bits", p["primality"], p["source"]] for p in d["primes"]),
        )
    else:
        _print(
            catalogue.prime_entry_document(name),
            as_json,
            lambda d: _table([key, str(value)] for key, value in d.items() if value not in (None, "")),
        )


@cli.command()
@click.argument("core", required=False)
@json_option
def cores(core: str | None, as_json: bool) -> None:
    """List the cores, or describe one: parameters, watched signals, cost formulas."""
    if core is None:
        _print(
            catalogue.cores_document(),
            as_json,
            lambda d: _table([c["id"], c["model"], c["title"]] for c in d["cores"]),
        )
    else:
        _print(catalogue.core_document(core), as_json, _core_text)


def _core_text(d: dict[str, Any]) -> str:
    return (
        f"{d['id']}: {d['title']}\n{d['source']}\nmodel: {d['model']}\n\nparameters\n"
        + _parameters_text(d["parameters"])
        + "\nwatched signals\n"
        + _table([f"  {s['name']}", s["kind"]] for s in d["signals"])
        + f"\ncosts ({d['costs'][0]['example']['prime']}, default radix)\n"
        + _table([f"  {c['name']}", c["formula"], f"{c['example']['value']} {c['unit']}"] for c in d["costs"])
    )


@cli.command()
@click.argument("erratum", required=False, metavar="[ID]")
@json_option
def errata(erratum: str | None, as_json: bool) -> None:
    """List where the papers are wrong as printed, or show one: what is printed, what is right, and what shows it."""
    if erratum is None:
        _print(
            catalogue.errata_document(),
            as_json,
            lambda d: _table([e["id"], e["kind"], e["printed"]] for e in d["errata"]),
        )
    else:
        _print(catalogue.erratum_document(erratum), as_json, _erratum_text)


def _erratum_text(d: dict[str, Any]) -> str:
    example = [[f"  {name}", _cell(value)] for name, value in d["example"].items()]
    return (
        f"{d['id']} ({d['kind']}), {', '.join(d['models'])}\n"
        + _table([["printed", d["printed"]], ["corrected", d["corrected"]]])
        + (f"\nexample\n{_table(example)}" if example else "")
        + "\nseen with\n"
        + "".join(f"  {command}\n" for command in dict.fromkeys([d["command"], *(r["command"] for r in d["requests"])]))
    )


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else dump(value)


@cli.command(name="tables")
@click.argument("paper", required=False)
@json_option
def tables_command(paper: str | None, as_json: bool) -> None:
    """Figures that the papers print, ours beside them, and a verdict on each."""
    _print(tables.tables_document(paper), as_json, _tables_text)


def _tables_text(d: dict[str, Any]) -> str:
    return (
        "\n".join(
            f"{paper['id']}: {paper['source']}\n"
            + "".join(
                f"\n{tables.title(number)}\n" + _table([tables.HEAD, *tables.rows(paper, number)])
                for number in tables.numbers(paper)
            )
            + "\n"
            + _table([f"{count}", verdict, d["verdicts"][verdict]] for verdict, count in paper["count"].items())
            for paper in d["papers"]
        )
        + f"\n{tables.SYNTHESIS}\n"
    )


@cli.command()
@click.argument("model")
@model_options
@click.option("--a", "a", required=True, metavar="INT", help="First operand: decimal, 0x hexadecimal or [d0,d1,...].")
@click.option("--b", "b", metavar="INT", help="Second operand, where the model has one.")
@click.option("--step", metavar="I", help="Of a chain: the steps of squaring I alone.")
@click.option("--check", is_flag=True, help="Check every claim of the model; exit 1 when one does not hold.")
@format_option(traces.FORMATS)
@output_option
def trace(
    model: str,
    prime: str | None,
    radix: str | None,
    pairs: tuple[str, ...],
    a: str,
    b: str | None,
    step: str | None,
    check: bool,
    form: str,
    output: Path | None,
) -> int:
    """Every intermediate of one product, in the paper's symbols."""
    request = traces.TraceRequest(Multiplier.resolve(model, prime, merge_settings(radix, pairs)), a, b, step=step)
    emit(traces.render(request, form), output)
    if not check:
        return 0
    violations = request.violations()
    for violation in violations:
        click.echo(f"limbtrace: {violation}", err=True)
    if not violations:
        click.echo(f"limbtrace: all {request.claims} claims of {model} hold", err=True)
    return MISMATCH if violations else 0


@cli.command(name="cycles")
@click.argument("core")
@modulus_options
@click.option("--operands", multiple=True, metavar="A,B[@CYCLE]", help="A product and when it starts; repeatable.")
@set_options
@format_option(cycles.FORMATS)
@output_option
def cycles_command(
    core: str,
    prime: str,
    radix: str | None,
    pairs: tuple[str, ...],
    operands: tuple[str, ...],
    count: str | None,
    seed: str | None,
    kind: str | None,
    form: str,
    output: Path | None,
) -> None:
    """Every watched register in every cycle, for given operands or for a seeded set of COUNT."""
    request = CoreRequest.resolve(core, prime, merge_settings(radix, pairs))
    cycles.check_format(request, form)
    emit(cycles.render(cycle_request(request, operands, count, seed, kind), form), output)


@cli.command(name="vectors")
@click.argument("model")
@model_options
@set_options
@click.option("--checkpoints", default="0", metavar="N", help="Of chains: N values on the way, evenly spread.")
@format_option(formats.FORMATS)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File instead of standard output; for readmemh a folder, or an archive when it ends in .tar.",
)
def vectors_command(
    model: str,
    prime: str | None,
    radix: str | None,
    pairs: tuple[str, ...],
    count: str | None,
    seed: str | None,
    kind: str | None,
    checkpoints: str,
    form: str,
    output: Path | None,
) -> None:
    """Test vectors for a model: the same request gives the same bytes everywhere."""
    multiplier = Multiplier.resolve(model, prime, merge_settings(radix, pairs))
    asked = drawn_by((), count=count, seed=seed, kind=kind)
    vectors = VectorSet(VectorRequest.resolve(multiplier, **asked, checkpoints=checkpoints))
    formats.check_format(vectors, form)
    if form == "readmemh" and output is None and sys.stdout.isatty():
        raise ParameterError("output", "readmemh writes several files: give a folder with -o, or redirect the archive")
    if form == "readmemh" and output is not None and output.suffix != ".tar":
        files = formats.memory_files(vectors)
        watched = ((name, _watched(chunks, vectors.request.count)) for name, chunks in files)
        write_directory(output, watched, formats.MANIFEST)
        return
    emit(_watched(formats.render(vectors, form), vectors.request.count), output)


def _watched(chunks: Iterator[bytes], count: int) -> Iterator[bytes]:
    """The same chunks, with progress in cases on standard error."""
    with Progress("cases", count) as progress:
        for chunk in chunks:
            yield chunk
            progress.advance(min(BATCH, count - progress.done))


@cli.command(name="fp2")
@click.argument("model")
@modulus_options
@click.option("--op", required=True, metavar="OP", help=", ".join(SEQUENCES))
@click.option("--a", "a", metavar="[X0,X1]", help="First element x0 + x1*i, instead of drawn ones.")
@click.option("--b", "b", metavar="[X0,X1]", help="Second element, of a product.")
@set_options
@click.option("--steps", is_flag=True, help="The digit-level steps of every base-field product.")
@format_option(fp2.FORMATS)
@output_option
def fp2_command(
    model: str,
    prime: str,
    radix: str | None,
    pairs: tuple[str, ...],
    op: str,
    a: str | None,
    b: str | None,
    count: str | None,
    seed: str | None,
    kind: str | None,
    steps: bool,
    form: str,
    output: Path | None,
) -> None:
    """Products and squares in GF(p^2), with every base-field operation that makes them; 16 cases by default."""
    multiplier = Multiplier.resolve(model, prime, merge_settings(radix, pairs))
    emit(fp2.render(fp2.Fp2Request.resolve(multiplier, op, a, b, count, seed, kind, steps), form), output)


@cli.command()
@click.argument("model")
@model_options
@format_option(catalogue.CONSTANT_FORMATS)
@output_option
def constants(
    model: str, prime: str | None, radix: str | None, pairs: tuple[str, ...], form: str, output: Path | None
) -> None:
    """The constants a core or a program needs, as JSON, SystemVerilog or VHDL."""
    multiplier = Multiplier.resolve(model, prime, merge_settings(radix, pairs))
    emit([catalogue.render_constants(multiplier, form)], output)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
def verify(file: Path) -> int:
    """Compare results or any document of limbtrace with the golden one; exit 1 at a divergence.

    The certificate beside a set of cases (FILE.certificate.json) is shown; exit 1 also where it disagrees with the set.
    """
    verdict = verify_file(file)
    click.echo(dump(verdict))
    contested = verdict.get("certificate", {}).get("status") == "disagrees"
    if contested:
        click.echo(f"limbtrace: {verdict['certificate']['detail']}", err=True)
    return MISMATCH if verdict["mismatches"] or contested else 0


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Certificate instead of FILE.certificate.json beside the file or folder; - for standard output.",
)
def certify(file: Path, output: Path | None) -> int:
    """SageMath recomputes every case, of a vector set or in GF(p^2), and certifies; exit 1 where it disagrees.

    It needs the extra `sage`, and shares no arithmetic with the models.
    """
    from vectors import certificate  # its documents take a tenth of a second to load

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
