# SPDX-License-Identifier: Apache-2.0
"""Commands of limbtrace on what a client sent, which may be hostile: run aside, and why one has written nothing."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http.logs import LOG
from limbtrace.service.http.problems import RefusedError
from limbtrace.service.http.responses import Exchange
from limbtrace.service.routes import command_runner
from limbtrace.service.settings import LimitError, ServiceSettings
from limbtrace.vectors.errors import ToolError

_REFUSED, _FAILED = 2, 3
"""Exit codes of a command: of one that was given wrong input, and of one that lacks something."""


class Task(NamedTuple):
    """The task of a command, for sentences about it."""

    sent: str
    """The parameter that has what the client sent."""
    reader: str
    """The program that reads it."""
    what: str
    """Noun phrase for the content of that parameter."""
    setting: str
    """The setting that has its seconds."""
    purpose: str
    crash: str
    """A known cause of a crash."""
    called: Mapping[str, str] = MappingProxyType({})
    """The client's names of parameters of the command, if they differ."""


def run(here: Exchange, task: Task, folder: str, files: Mapping[str, bytes], arguments: Sequence[str]) -> str:
    """The output of the command, run beside a folder with these files. See `limbtrace.service.routes.command_runner`.

    Raises ParameterError for what the command refuses, and RefusedError where the service failed.
    """
    limits = here.limits
    try:
        ended = command_runner.run(folder, files, arguments, getattr(limits, task.setting), limits.max_memory_bytes)
    except ToolError as error:
        LOG.error("aside", reason=str(error))
        raise RefusedError(
            503, f"{error}; try again in 5 seconds", headers={"Retry-After": "5"}, kind="worker", ended="failure"
        ) from None
    if ended.code == 0:
        return ended.out
    raise reason(limits, task, ended)


def reason(limits: ServiceSettings, task: Task, ended: command_runner.Ended) -> ParameterError | RefusedError:
    """Why a command that ended so has written nothing. A failure of the service is logged."""
    if ended.limit == command_runner.TIME:
        seconds = getattr(limits, task.setting)
        sentence = f"{task.reader} takes longer than the limit of {seconds} s here for {task.what}"
        return LimitError(task.sent, sentence, task.setting)
    if ended.limit == command_runner.MEMORY:
        most = limits.max_memory_bytes
        sentence = f"{task.reader} takes more memory than the limit of {most} bytes here for {task.what}"
        return LimitError(task.sent, sentence, "max_memory_bytes")
    said = ended.said.strip().removeprefix("limbtrace: ")
    if ended.code is None:
        return ParameterError(task.sent, f"{task.reader} crashed on {task.what}; {task.crash}")
    if ended.code != _REFUSED or not said:
        LOG.error("aside", reason="a command has failed", code=ended.code, said=said)
        if ended.code == _FAILED:
            detail = f"this service cannot {task.purpose}: {said}"
            return RefusedError(503, detail, kind="internal", ended="failure")
        return RefusedError(500, "the service failed; its log says how", ended="failure")
    name, colon, sentence = said.partition(": ")
    if not colon or not name.isidentifier():
        return ParameterError(task.sent, said)
    return ParameterError(task.called.get(name, name), sentence)
