# SPDX-License-Identifier: Apache-2.0
"""Replays that are printed were run, and differ."""

import json
import shlex
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run import replays
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.options import parsed
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.shrink import shrink
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job

PRIME = "0xef"


def sticky(folder: Path) -> Path:
    """A core that is wrong in every product after one with a = 3: no product differs alone."""
    register = "  reg spoiled = 0; always @(posedge clk) if (start) spoiled <= (spoiled | (a == 3)) & ~rst;\n"
    return copy_of(
        TOYS / "square_toy",
        folder,
        ("square_toy.v", "  always @(posedge clk) begin", register + "  always @(posedge clk) begin"),
        ("square_toy.v", "* a % p;", "* a % p ^ spoiled;"),
    )


def command(*words: object) -> int:
    """The exit code of limbtrace with these arguments."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


ASKED = ["--prime", PRIME, "--simulator", "icarus", "--operands", "5", "--operands", "3", "--operands", "7"]


def test_a_product_that_agrees_alone_is_replayed_with_those_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    core = sticky(tmp_path)
    assert command("sim", core, *ASKED, "--shrink", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["first_divergence"]["case"] == 2
    assert "--only" not in report["first_divergence"]["replay"]
    assert f"`limbtrace prove {core} --prime P`" in report["observed"]["advice"]
    assert command("sim", core, *ASKED) == 1
    assert report["observed"]["advice"] in capsys.readouterr().out
    for replay in (report["first_divergence"]["replay"], report["shrunk"]["replay"]):
        assert command(*shlex.split(replay)[1:]) == 1


def test_without_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("sim", sticky(tmp_path), *ASKED, "--no-check-replay", "--json") == 1
    assert "--only 2" in json.loads(capsys.readouterr().out)["first_divergence"]["replay"]


def test_a_product_that_differs_alone_is_replayed_alone(tmp_path: Path) -> None:
    core = copy_of(TOYS / "square_toy", tmp_path, ("square_toy.v", "* a % p;", "* a % p ^ (a == 7);"))
    run = settle(job(core, PRIME, operands=("5", "3", "7"), keep_going=3))
    report = replays.confirmed(run, simulate(run.job))
    assert report.tally.divergence is not None
    assert report.tally.divergence.replay.endswith("--only 2 --simulator icarus --mode lockstep")
    assert report.differences == (report.tally.divergence,)
    assert "limbtrace prove" not in report.text()


def test_a_run_that_agrees_when_it_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a core that reads a wall clock: the report says so, and prints no command."""
    run = settle(job(sticky(tmp_path), PRIME, operands=("5", "3", "7")))
    report = simulate(run.job)
    good = simulate(job(TOYS / "square_toy", PRIME, operands=("5",)))
    monkeypatch.setattr(replays, "simulate", lambda *_, **__: good)
    text = replays.confirmed(run, report).text()
    assert "replay: none was found that differs" in text
    assert "limbtrace sim" not in text


def test_other_moduli_of_a_replay_have_settings_of_their_own() -> None:
    """A modulus of another size has another number of digits, which the replay must not fix to that of the first."""
    run = settle(job(CORE, "p256", disturb=("modulus", "size"), settings={"radix": "2^32"}))
    again = settle(parsed(Job, shlex.split(run.replay(0))[2:]))
    assert len({other.bound.settings["n"] for _, other in run.others}) > 1
    assert [(kind, other.bound.settings) for kind, other in again.others] == [
        (kind, other.bound.settings) for kind, other in run.others
    ]


def test_the_replay_of_a_shrunk_product(tmp_path: Path) -> None:
    asked = job(sticky(tmp_path), PRIME, operands=("5", "3", "7"))
    found = shrink(asked, simulate(asked))
    assert found is not None
    assert not simulate(parsed(Job, shlex.split(found.replay)[2:])).passed


def test_a_long_way_to_a_case_is_not_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a campaign may begin after more products than any command should simulate."""
    run = settle(job(sticky(tmp_path), PRIME, operands=("5", "3", "7", "9"))).skipping(1)
    report = simulate(run.job)
    asked: list[str] = []

    def differs(_: Run, command: str) -> bool:
        asked.append(command)
        return False

    monkeypatch.setattr(replays, "MOST", 2)
    monkeypatch.setattr(replays, "_differs", differs)
    assert report.tally.divergence is not None
    assert replays.confirm(run, 2) == ""
    assert ["--only" in command for command in asked] == [True]
