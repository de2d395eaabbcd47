# SPDX-License-Identifier: Apache-2.0
"""Switching activity: counts of small waveforms, and of random ones counted bit by bit and unit by unit."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.cycles.saif import activity

HEAD = """$timescale 1 ps $end
$scope module tb $end
$var wire 1 ! clk $end
$scope module u_core $end
$var wire 1 ! clk_i $end
$var reg 4 " sum_q [3:0] $end
$var real 64 # power $end
$scope module u_mul $end
$var wire 2 % p [1:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
"""


def written(tmp_path: Path, body: str, instance: str = "u_core") -> str:
    path = tmp_path / "waves.vcd"
    path.write_text(HEAD + body)
    return activity(path, instance).decode()


def test_a_small_waveform(tmp_path: Path) -> None:
    text = written(
        tmp_path, '#0\n$dumpvars\n0!\nbx "\nr0.5 #\nbx %\n$end\n#5\n1!\nb101 "\n#10\n0!\nb1 %\n#15\n1!\nb1010 "\n#20\n'
    )
    assert text.splitlines()[6:8] == ["(TIMESCALE 1 ps)", "(DURATION 20)"]
    wanted = r"""(SAIFILE (SAIFVERSION "2.0") (DIRECTION "backward") (DESIGN ) (PROGRAM_NAME "limbtrace") (DIVIDER / )
    (TIMESCALE 1 ps) (DURATION 20)
    (INSTANCE tb (INSTANCE u_core
      (NET
        (clk_i (T0 10) (T1 10) (TX 0) (TC 3) (IG 0))
        (sum_q\[0\] (T0 5) (T1 10) (TX 5) (TC 1) (IG 0))
        (sum_q\[1\] (T0 10) (T1 5) (TX 5) (TC 1) (IG 0))
        (sum_q\[2\] (T0 5) (T1 10) (TX 5) (TC 1) (IG 0))
        (sum_q\[3\] (T0 10) (T1 5) (TX 5) (TC 1) (IG 0)))
      (INSTANCE u_mul (NET
        (p\[0\] (T0 0) (T1 10) (TX 10) (TC 0) (IG 0))
        (p\[1\] (T0 10) (T1 0) (TX 10) (TC 0) (IG 0)))))))"""
    assert re.sub(r"\s", "", text) == re.sub(r"\s", "", wanted)


def test_no_such_instance(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="waves: the waveform has no instance u_other"):
        written(tmp_path, "#0\n", "u_other")


@given(st.lists(st.tuples(st.integers(1, 9), st.text("01xz", min_size=4, max_size=4)), max_size=30), st.integers(0, 9))
def test_random_waveforms(tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, str]], rest: int) -> None:
    now, body, held = 0, "#0\n", ["xxxx"]
    for wait, value in changes:
        held += [held[-1]] * (wait - 1) + [value]
        now += wait
        body += f'#{now}\nb{value} "\n'
    held = [*held[:-1], *[held[-1]] * rest]  # what each unit of time shows; a change is there from its time on
    text = written(tmp_path_factory.mktemp("waves"), f"{body}#{now + rest}\n")
    for bit in range(4):
        levels = [value[3 - bit] for value in held]
        pairs = [*zip(["xxxx", *(v for _, v in changes)], [v for _, v in changes], strict=False)]
        toggles = sum({a[3 - bit], b[3 - bit]} == {"0", "1"} for a, b in pairs)
        counts = re.search(rf"sum_q\\\[{bit}\\\] \(T0 (\d+)\) \(T1 (\d+)\) \(TX (\d+)\) \(TC (\d+)\)", text)
        assert counts is not None
        unknown = levels.count("x") + levels.count("z")
        assert [*map(int, counts.groups())] == [levels.count("0"), levels.count("1"), unknown, toggles]
