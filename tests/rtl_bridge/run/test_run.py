# SPDX-License-Identifier: Apache-2.0
"""A run is resolved once; every option of a job is on the command line, in the replay, and in the simulator."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import click
import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding import bind as binding
from limbtrace.rtl_bridge.run import options
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.run.lockstep_stimulus import trials
from limbtrace.rtl_bridge.run.mode import mode
from limbtrace.rtl_bridge.run.options import integer, job_options, option
from limbtrace.rtl_bridge.run.pickled import packed, unpacked
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import Multiplier
from tests.rtl_bridge.helpers import CORE, TOYS, job, without

SMALL = {"radix": "2^4"}
STREAMS = "hffm"


def asked(words: Sequence[str], kind: type[Job] = Job) -> Any:
    """The job of a command line."""

    @click.command()
    @job_options(kind, "core", "vectors", "run")
    def command(job: Job) -> Job:
        return job

    return command.main([*words], standalone_mode=False)


class Hotter(Job):
    """A job with options of a possible later version."""

    heat: Annotated[int, option("run", read=integer, metavar="T", help="Degrees.")] = 20
    fans: Annotated[tuple[str, ...], option("vectors", multiple=True, metavar="FAN")] = ()
    lid: Annotated[bool, option("core", is_flag=True)] = False
    colour: Annotated[str | None, option("run", replay=None, metavar="NAME")] = None


class Forgetful(Job):
    """A job with a field that does not define its replay."""

    heat: int = 20


def test_an_option_is_declared_once() -> None:
    """The field alone puts the option on the command line and into the replay."""
    words = [CORE, "--prime", "251", "--heat", "2^5", "--fans", "left", "--fans", "right", "--lid", "--colour", "red"]
    hot = asked(words, Hotter)
    assert (hot.heat, hot.fans, hot.lid, hot.colour) == (32, ("left", "right"), True, "red")
    again = settle(hot).replay(3)
    assert "--heat 32" in again
    assert "--fans left --fans right" in again
    assert "--lid" in again
    assert "red" not in again
    assert asked(shlex.split(again)[2:], Hotter).fans == ("left", "right")


def test_an_option_whose_replay_is_forgotten_is_no_option() -> None:
    with pytest.raises(TypeError, match="the field heat of Forgetful needs one option"):
        options.options(Forgetful)


def test_what_is_not_replayed_does_not_change_a_case() -> None:
    silent = {name for name, declared in options.options(Job).items() if declared.replay is None}
    assert silent == {"keep_going", "patience", "service", "waves"}


@pytest.mark.parametrize("name", ["lockstep", "fast"])
def test_modes_that_keep_no_products_take_many(name: str) -> None:
    run = settle(job(CORE, "251", mode=name, simulator="verilator", count=2**32, kind="random"))
    assert run.stimulus.products == 2**32
    last = run.skipping(2**32 - 1)
    assert last.stimulus.asked.first == 2**32 - 1
    assert len(list(last.stimulus.drawn())) == 1


# Fields of a job, none at its default, and a case of it.
ASKED: dict[str, tuple[dict[str, Any], int]] = {
    "lock-step": ({"core": CORE, "seed": 9, "kind": "lazy", "build": {"NMax": 9}, "disturb": ("start", "reset")}, 7),
    "given operands": ({"core": CORE, "operands": ("5,6", "7,8", "9,10"), "disturb": ("unknown",), "seed": 3}, 1),
    "given operands of a core that may wait": ({"core": TOYS / "digit_toy", "operands": ("5,6", "7,8"), "seed": 3}, 1),
    "every cycle": ({"core": CORE, "mode": "bulk", "every_cycle": True, "count": 9}, 8),
    "in batches": ({"core": CORE, "mode": "fast", "simulator": "verilator", "count": 9}, 0),
    "a stream": ({"core": STREAMS, "prime": "11", "settings": {}, "stream": 4, "count": 11, "only": 5}, 6),
    "given cycles": ({"core": STREAMS, "prime": "11", "settings": {}, "operands": ("3,4@7", "5,6@500")}, 1),
}


def products(run: Run) -> list[tuple[int, int, int, int]]:
    """Case, operands and result of every stream."""
    found = run.golden.streams(steps=False, table=False)
    return [(stream.case, stream.a, stream.b, stream.result) for stream in found]


@pytest.mark.parametrize("what", ASKED)
def test_a_replay_asks_for_the_same_run(what: str) -> None:
    """All fields except the number of cases, which is reduced to those needed."""
    fields, case = ASKED[what]
    wanted = job(**{"settings": SMALL, **fields})
    run = settle(wanted)
    again = settle(asked(shlex.split(run.replay(case))[2:]))
    changed = {"prime", "settings", "count", "only", "operands"}
    assert again.job.model_dump(exclude=changed) == wanted.model_dump(exclude=changed)
    assert again.job.only == case
    assert again.bound.multiplier.identity == run.bound.multiplier.identity
    assert (again.bound.parameters, again.bound.starts) == (run.bound.parameters, run.bound.starts)
    everything, (alone,) = products(run), products(again)
    assert alone in everything


def refused(*_: object, **__: object) -> None:
    raise AssertionError("it was settled already")


@pytest.mark.parametrize(
    ("core", "prime", "settings"),
    [
        (CORE, "0xea7", SMALL),
        (TOYS / "digit_toy", "0xea7", SMALL),
        (STREAMS, "11", {}),
        ("r2mm_bitserial", "251", {}),
    ],
)
def test_what_was_settled_is_sent_and_nothing_bound_again(
    core: str | Path, prime: str, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = settle(job(core, prime, settings=settings, count=5, kind="random", disturb=DISTURBANCES))
    here = [trial.expected for trial in trials(run)]
    data = packed(run)
    monkeypatch.setattr(binding, "elaborate", refused)
    monkeypatch.setattr(Multiplier, "resolve", refused)
    there = unpacked(data)
    assert there.job == run.job
    assert (there.bound.names, there.bound.starts, there.shell.text) == (
        run.bound.names,
        run.bound.starts,
        run.shell.text,
    )
    assert there.bound.multiplier.model is run.bound.multiplier.model
    assert [kind for kind, _ in there.others] == [kind for kind, _ in run.others]
    for expected, sent in zip(here, trials(there), strict=True):
        assert (sent.expected.a, sent.expected.b, sent.expected.result) == (expected.a, expected.b, expected.result)
        assert sent.expected.steps == expected.steps
        assert sent.expected.image == expected.image


@pytest.mark.parametrize("name", MODES)
def test_every_mode_is_a_module_of_its_name(name: str) -> None:
    assert type(mode(name)).__module__ == f"limbtrace.rtl_bridge.run.{name}"


@pytest.mark.parametrize("only", [-1, 40])
def test_a_case_that_is_none_of_the_run(only: int) -> None:
    with pytest.raises(ParameterError, match=f"only: {only} is outside 0 to 39, the cases of this run"):
        settle(job(settings=SMALL, only=only))


def test_a_compiler_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(
        monkeypatch,
        "pyslang",
        "limbtrace.rtl_bridge.binding.bind",
        "limbtrace.rtl_bridge.elaboration.elaborate",
        "limbtrace.rtl_bridge.elaboration.slang",
    )
    sentence = r"^to look into a core takes pyslang, which is not installed: pip install 'limbtrace\[sim\]'$"
    with pytest.raises(ToolError, match=sentence):
        settle(job())
