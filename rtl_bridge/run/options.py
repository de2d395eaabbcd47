# SPDX-License-Identifier: Apache-2.0
"""Fields of a job as options: each is declared once, and read, listed and replayed from that declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal

import click
from pydantic import BaseModel

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.binding.bound import Bound

ClickCommand = Callable[..., Any]
CommandParameters = Mapping[str, Any]
"""Parameters of a command by their names, None or empty if they were not given."""
Replay = Callable[[Any, Bound, int], Sequence[str]]
"""(job, bound core, case) -> the words that ask for the same value in a run of that case alone."""


def plain(name: str, given: CommandParameters) -> Any:
    """The parameter of that name."""
    return given[name]


def integer(name: str, given: CommandParameters) -> int | None:
    """An integer or an expression such as 2^10. Raises ParameterError(name)."""
    return None if given[name] is None else parse_integer(given[name], name)


@dataclass(frozen=True)
class JobOption:
    """The command-line option of a field of a job."""

    part: Literal["core", "vectors", "run"]
    """Its subject: the core, the vectors that it is given, or how they are run. An export has the first two."""
    declare: Callable[[ClickCommand], ClickCommand] | None = None
    """A decorator of click that declares its parameters, if it has others than one of its name."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of click.option besides the name; if this is empty and `declare` None, another field declares it."""
    read: Callable[[str, CommandParameters], Any] = plain
    """(name of the field, parameters) -> its value, None for the default. Raises ParameterError."""
    replay: Replay | Literal["as asked"] | None = "as asked"
    """Arguments of a replay that ask for it again; None if the outcome does not depend on it."""
    modes: tuple[str, ...] = ()
    """The modes that accept it; empty for all."""

    def words(self, name: str, job: BaseModel, bound: Bound, case: int) -> Sequence[str]:
        """Words of a replay for the field called `name`."""
        if self.replay is None:
            return ()
        return again(name, getattr(job, name)) if self.replay == "as asked" else self.replay(job, bound, case)

    def declared(self, name: str, default: Any, command: ClickCommand) -> ClickCommand:
        """The command with the parameters of the field called `name`."""
        if self.declare is not None:
            return self.declare(command)
        if not self.shown:
            return command
        shown = {**self.shown, "default": default} if self.shown.get("show_default") else self.shown
        return click.option(_flag(name), **shown)(command)


def option(
    part: Literal["core", "vectors", "run"],
    *,
    declare: Callable[[ClickCommand], ClickCommand] | None = None,
    read: Callable[[str, CommandParameters], Any] = plain,
    replay: Replay | Literal["as asked"] | None = "as asked",
    modes: tuple[str, ...] = (),
    **shown: Any,
) -> JobOption:
    """A JobOption, with what click.option takes besides the name as keywords."""
    return JobOption(part, declare, shown, read, replay, modes)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def again(name: str, value: Any) -> list[str]:
    """The words of the option called `name`: a flag, one value, or one after the other."""
    flag = _flag(name)
    if isinstance(value, bool):
        return [flag] * value
    if isinstance(value, Mapping):
        value = tuple(f"{key}={entry}" for key, entry in value.items())
    values = value if isinstance(value, tuple) else () if value is None else (value,)
    return [word for entry in values for word in (flag, str(entry))]


def options(job: type[BaseModel]) -> dict[str, JobOption]:
    """The options of a job by the names of their fields. Raises TypeError if a field has none."""
    found = {}
    for name, entry in job.model_fields.items():
        declared = [data for data in entry.metadata if isinstance(data, JobOption)]
        if len(declared) != 1:
            raise TypeError(f"the field {name} of {job.__name__} needs one option, which says how it is replayed")
        found[name] = declared[0]
    return found


def replay(job: BaseModel, bound: Bound, case: int, *, alone: bool = True) -> Iterator[str]:
    """The words of all options for a run of that case, those about the core first; `alone`: without those before it."""
    declared = options(type(job))
    for name in sorted(declared, key=lambda name: declared[name].part != "core"):
        if alone or name != "only":
            yield from declared[name].words(name, job, bound, case)


def parsed(job: type[BaseModel], words: Sequence[str]) -> Any:
    """The job that the words of a command ask for, as `replay` writes them. Raises ParameterError."""

    @click.command()
    @job_options(job, "core", "vectors", "run")
    def read(asked: Any) -> Any:
        return asked

    return read.main([*words], standalone_mode=False)


def check_modes(job: Any) -> None:
    """Raises ParameterError for an option that does not go with the mode of the job."""
    for name, option in options(type(job)).items():
        if option.modes and job.mode not in option.modes and getattr(job, name):
            modes = " or ".join(option.modes)
            raise ParameterError(name.replace("_", "-"), f"goes with mode {modes}; mode {job.mode} is asked for")


def job_options(job: type[BaseModel], *parts: str, **fixed: Any) -> Callable[[ClickCommand], ClickCommand]:
    """Declare the options about `parts` of a kind of job; the command gets the job as its first argument.

    `fixed` are the values of fields that are not asked for. Options about how vectors are run are listed last.
    """
    declared = {name: option for name, option in options(job).items() if option.part in parts and name not in fixed}

    def decorate(command: ClickCommand) -> ClickCommand:
        own = {parameter.name for parameter in getattr(command, "__click_params__", ())}

        @wraps(command)
        def reading(**given: Any) -> Any:
            asked = {name: given.pop(name) for name in [*given] if name not in own}
            return command(_read(job, declared, asked, fixed), **given)

        collected: ClickCommand = reading
        listed = sorted(declared, key=lambda name: declared[name].part == "run")
        for name in reversed(listed):  # click lists the last one first
            collected = declared[name].declared(name, job.model_fields[name].default, collected)
        return collected

    return decorate


def job_option(job: type[BaseModel], name: str) -> Callable[[ClickCommand], ClickCommand]:
    """Declare the option of one field for a command that has no job."""
    return lambda command: options(job)[name].declared(name, job.model_fields[name].default, command)


def _read(
    job: type[BaseModel], declared: Mapping[str, JobOption], given: CommandParameters, fixed: CommandParameters
) -> Any:
    """The job that the parameters ask for. Raises ParameterError."""
    read = {name: option.read(name, given) for name, option in declared.items()}
    return job(**{name: value for name, value in read.items() if value is not None}, **fixed)
