# SPDX-License-Identifier: Apache-2.0
"""Rows that are watched by expressions over signals: in all modes that compare rows, and in both simulators."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job

STROBE: Edit = ("core.toml", 'when = "dbg_strobe"', 'when = "phase == 1"')
LOADED: Edit = ("core.toml", 'when = "dbg_loaded"', 'when = "2 * phase + dbg_strobe == 3"')
DIGIT: Edit = ("core.toml", 'signal = "dbg_digit"', 'signal = "(dbg_digit * 4 + phase) // 4 + 0 * rsp_valid"')
WRONG: Edit = ("digit_toy.sv", "* minus_inverse;", "* minus_inverse ^ D'(rounds == 2);")
FIELDS: dict[str, Any] = {"prime": "mldsa", "settings": {"radix": "2^8"}}


@pytest.mark.parametrize(
    ("mode", "simulator"), [("lockstep", "icarus"), ("lockstep", "verilator"), ("fast", "verilator")]
)
@pytest.mark.budget(14)
def test_events_and_values(mode: str, simulator: str, tmp_path: Path) -> None:
    """A good core agrees, a wrong digit is found, and so is an event that comes once too often."""
    fields = {**FIELDS, "mode": mode, "simulator": simulator, "count": 20}
    good = copy_of(TOYS / "digit_toy", tmp_path / "good", STROBE, LOADED, DIGIT)
    assert simulate(job(good, **fields)).passed
    wrong = simulate(job(copy_of(TOYS / "digit_toy", tmp_path / "wrong", STROBE, LOADED, DIGIT, WRONG), **fields))
    found = wrong.tally.divergence
    assert found is not None
    assert (found.step, found.signal.partition(" ")[0]) == (("q", (2, 0)), "(dbg_digit")
    often = ("core.toml", 'when = "dbg_strobe"', 'when = "phase >= 1"')
    more = simulate(job(copy_of(TOYS / "digit_toy", tmp_path / "more", often), **fields)).tally.divergence
    assert more is not None
    assert more.expected is None


def test_without_expressions_the_shell_is_what_it_was(tmp_path: Path) -> None:
    plain = settle(job(TOYS / "digit_toy", **FIELDS)).shell.text
    assert "$signed" not in plain
    with_one = settle(job(copy_of(TOYS / "digit_toy", tmp_path, STROBE), **FIELDS)).shell.text
    assert "$signed({1'd0, u_core.phase})" in with_one


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("phase = 1", "row[0].when is 'phase = 1': character '=' is not part of an integer expression"),
        ("fase == 1", "row[0].when is 'fase == 1', and digit_toy has no output and no signal 'fase'"),
        ("phase + 1", "row[0].when is 'phase + 1', which has 3 bits; compare it, as in 'state == 3'"),
        ("phase == 4", "row[0].when is 'phase == 4', which never holds with phase of 2 bits"),
        ("req_valid == 1", "row[0].when is 'req_valid == 1', and req_valid is an input of digit_toy"),
    ],
)
def test_a_wrong_expression_is_one_sentence(when: str, said: str, tmp_path: Path) -> None:
    core = copy_of(TOYS / "digit_toy", tmp_path, ("core.toml", 'when = "dbg_strobe"', f'when = "{when}"'))
    assert tomllib.loads((core / "core.toml").read_text())["row"][0]["when"] == when
    with pytest.raises(ParameterError) as error:
        settle(job(core, **FIELDS))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
