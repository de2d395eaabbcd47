# SPDX-License-Identifier: Apache-2.0
"""The command itself: which commands there are, and how it ends."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points, version
from types import FrameType
from typing import Any, TextIO

import click

from refmodels.errors import ParameterError
from vectors.cli.options import FAILED, WRONG
from vectors.errors import ToolError

MAX_SENTENCE = 2000
"""Characters of an error message, which may quote the log of a tool."""

_BUILT_IN = {
    "models": "lists:models",
    "primes": "lists:primes",
    "cores": "lists:cores",
    "errata": "lists:errata",
    "events": "lists:events",
    "tables": "lists:tables_command",
    "trace": "golden:trace",
    "cycles": "golden:cycles_command",
    "vectors": "golden:vectors_command",
    "fp2": "golden:fp2_command",
    "constants": "golden:constants",
    "verify": "files:verify",
    "certify": "files:certify",
    "cover": "files:cover_command",
}
"""Commands by the module in this folder that has them: none is loaded but the one that runs."""


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
        return [*sorted(_BUILT_IN), *sorted(self._mounted())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _BUILT_IN:
            module, _, name = _BUILT_IN[cmd_name].partition(":")
            built_in: click.Command = getattr(import_module(f"vectors.cli.{module}"), name)
            return built_in
        if (entry := self._mounted().get(cmd_name)) is None:
            return None
        try:
            mounted: click.Command = entry.load()
        except ModuleNotFoundError as error:
            return _unavailable(cmd_name, error.name or "a package")
        return mounted


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


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(version("limbtrace"), prog_name="limbtrace")
def cli() -> None:
    """Golden reference for modular-multiplier hardware: models, vectors, traces, lock-step simulation."""
