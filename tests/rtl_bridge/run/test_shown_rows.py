# SPDX-License-Identifier: Apache-2.0
"""What a report shows around a difference: golden values beside rows, folded lines, and what would show more."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.folded_table import WIDEST_LINE, folded
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.report import read
from limbtrace.vectors.report.svg import drawn
from limbtrace.vectors.report.waves import excerpt
from tests.rtl_bridge.helpers import TOYS, copy_of, job

WRONG_DIGIT = ("digit_toy.sv", "* minus_inverse;", "* minus_inverse ^ D'(rounds == 2);")


def test_steps_stand_beside_the_rows_in_which_they_are_due(tmp_path: Path) -> None:
    """Of a core whose rows come with events: the wrong digit is marked, and the right ones before it are not."""
    core = copy_of(TOYS / "digit_toy", tmp_path, WRONG_DIGIT)
    rows = simulate(job(core, "mldsa", settings={"radix": "2^8"}, count=3)).document["rows"]
    marked = [[k for k, cell in enumerate(row["golden"]) if cell not in (None, row["seen"][k])] for row in rows["rows"]]
    assert marked == [[], [], [0, 1]]
    assert [row["golden"][2] for row in rows["rows"]] == [None] * 3, "the last digit is due when the core is done"


def test_the_last_value_is_due_at_the_end(tmp_path: Path) -> None:
    clear = ("digit_toy.sv", "else phase <= OFFERING;", "else begin phase <= OFFERING; dbg_kept <= 0; end")
    core = copy_of(TOYS / "digit_toy", tmp_path, clear)
    last = simulate(job(core, "mldsa", settings={"radix": "2^8"}, count=3)).document["rows"]["rows"][-1]
    assert (last["seen"][2], last["golden"][:2]) == ("0x0", [None, None])
    assert last["golden"][2] not in (None, "0x0")


@pytest.mark.parametrize("toy", ["mont_toy", "comb_toy"])
def test_a_waveform_of_a_core_without_rows(toy: str, tmp_path: Path) -> None:
    """With a clock and without one; compared modulo p and as it is."""
    edits = {
        "mont_toy": ("mont_toy.sv", "assign z_o     = t_q[BITS-1:0];", "assign z_o = t_q[BITS-1:0] ^ BITS'(a_q[1]);"),
        "comb_toy": ("comb_toy.sv", "assign z_o = ", "assign z_o = x_i[1] + "),
    }
    core, waves = copy_of(TOYS / toy, tmp_path, edits[toy]), tmp_path / "waves.vcd"
    asked = job(core, "mldsa", count=40, simulator="icarus")
    document = simulate(asked.model_copy(update={"waves": waves})).document
    report = read(document)
    assert report.rows is None
    found = excerpt(report, waves)
    assert found.clocked == (toy == "mont_toy")
    assert 'class="wrong"' in drawn(report, found)


def test_a_stale_result_of_a_pipeline_is_found_in_its_own_cycle(tmp_path: Path) -> None:
    """It is on the port before its operands come; the latency tells the cycle."""
    core = copy_of(TOYS / "travel_toy", tmp_path, ("core.toml", "latency = 2", "latency = 1"))
    waves = tmp_path / "waves.vcd"
    report = read(simulate(job(core, "mldsa", count=9, simulator="icarus", waves=waves)).document)
    found, difference = excerpt(report, waves), report.first_divergence
    assert difference is not None
    assert difference.cycle is not None
    assert report.wave_names is not None
    at = difference.cycle - report.wave_names.behind - found.first_cycle
    a, b, result = (wave.cells for wave in found.signals)
    assert (a[at - 1], b[at - 1], result[at]) == (difference.a, difference.b, difference.seen)
    assert result[at + 1] == difference.expected


def test_long_lines_are_folded() -> None:
    lines = [["cycle", "a", "b", "c"], ["0", "1" * 100, "2" * 100, "3" * 300], ["1", "4", "5", "6"]]
    text = folded(lines)
    assert all(len(line) <= WIDEST_LINE for line in text.splitlines())
    first, second, third = text.split("\n\n")
    assert [part.split()[:2] for part in (first, second, third)] == [["cycle", "a"], ["cycle", "b"], ["cycle", "c"]]
    assert "".join(third.split()).count("3") == 300
    assert folded([["cycle", "q"], ["10", "ff"]]) == "  cycle   q\n     10  ff\n"
    assert folded([["cycle"], ["10"]]) == "  cycle\n     10\n"
