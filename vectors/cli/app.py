# SPDX-License-Identifier: Apache-2.0
"""The `limbtrace` command: its subcommands, and how it ends."""

import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

import click

from limbtrace.refmodels.errors import ParameterError, printable
from limbtrace.vectors.cli.options import FAILED, WRONG
from limbtrace.vectors.errors import ToolError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

MAX_SENTENCE = 2000
"""Most characters of an error message, which may quote the log of a tool."""

_BUILT_IN = {
    "models": "lists:models",
    "primes": "lists:primes",
    "cores": "lists:cores",
    "errata": "lists:errata",
    "defects": "lists:defects",
    "events": "lists:events",
    "tables": "lists:tables_command",
    "trace": "golden:trace",
    "cycles": "golden:cycles_command",
    "vectors": "golden:vectors_command",
    "digest": "digests:digest",
    "fp2": "golden:fp2_command",
    "constants": "golden:constants",
    "library": "library:library_command",
    "verify": "files:verify",
    "certify": "files:certify",
    "cover": "files:cover_command",
    "grade": "files:grade_command",
    "session": "sessions:session",
    "waves": "reports:waves",
}
"""Commands by their module in this folder; only the module of the running command is loaded."""


_EXTRAS = {
    "serve": "service",
    "token": "service",
    "reach": "prove",
    **dict.fromkeys(("campaign", "explain", "export", "identify", "init", "reports", "signoff"), "sim"),
}
"""The extra that a mounted command needs, if its name is not that of the command."""


class _ClosedPipeError(Exception):
    """Standard output is closed. Not an OSError, which click would turn into exit 1, a mismatch."""


class _Group(click.Group):
    """The built-in commands and those that other packages mount by entry point `limbtrace.commands`."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ClosedPipeError from None

    @staticmethod
    def _mounted() -> "dict[str, EntryPoint]":
        from importlib.metadata import entry_points  # which takes longer to load than a small command to run

        return {entry.name: entry for entry in entry_points(group="limbtrace.commands")}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*sorted(_BUILT_IN), *sorted(self._mounted())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _BUILT_IN:
            module, _, name = _BUILT_IN[cmd_name].partition(":")
            built_in: click.Command = getattr(import_module(f"limbtrace.vectors.cli.{module}"), name)
            return built_in
        if (entry := self._mounted().get(cmd_name)) is None:
            return None
        try:
            mounted: click.Command = entry.load()
        except ModuleNotFoundError as error:
            return _unavailable(cmd_name, error.name or "a package")
        return mounted


def _unavailable(name: str, missing: str) -> click.Command:
    extra = _EXTRAS.get(name, name)
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
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _terminated)
    try:
        sys.exit(_run(arguments))
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # the exit code is left
                _drop(stream)


def _run(arguments: Sequence[str] | None) -> int:
    """Runs a command, with errors on standard error; returns the exit code."""
    try:
        plain = False if os.environ.get("NO_COLOR") else None  # None: colour where standard output is a terminal
        code = cli.main(arguments, prog_name="limbtrace", standalone_mode=False, color=plain)
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
    """Handles closed streams: messages are dropped; data that cannot be written is an error."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _drop(stream: TextIO) -> None:
    """Discards buffered output; otherwise Python would try to write it again at exit, and end with 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_ended: list[int] = []
"""Signals that this process was ended with: libraries may take the exception of the handler for one of their own."""


def _terminated(number: int, _: FrameType | None) -> None:
    """Ends like an interrupt: temporary files are removed and child processes are stopped."""
    _ended.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def _fail(sentence: str, code: int) -> int:
    if _ended:
        sentence, code = "interrupted", 128 + _ended[0]
        if code != 130:
            return code
    sentence = printable(" ".join(sentence.split()))
    if len(sentence) > MAX_SENTENCE:
        sentence = f"{sentence[:MAX_SENTENCE]}..."
    with suppress(OSError):  # the exit code is left
        print("limbtrace:", sentence, file=sys.stderr)
    return code


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="limbtrace", prog_name="limbtrace")
@click.option("-v", "--verbose", is_flag=True, help="Say where a slower way is taken, and why.")
def cli(verbose: bool) -> None:
    """Golden reference for modular-multiplier hardware: models, vectors, traces, lock-step simulation."""
    if verbose:
        logging.basicConfig(level=logging.INFO, format="limbtrace: %(message)s")
