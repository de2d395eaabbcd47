# SPDX-License-Identifier: Apache-2.0
"""What a proof says that it does not cover: all that the contract of the core permits or leaves open, and no more."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.proof.moduli import in_order
from limbtrace.rtl_bridge.proof.statements import not_covered
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from tests.rtl_bridge.helpers import TOYS
from tests.rtl_bridge.proof.small_core import START_DONE, core, proved, shell_of

AFTER_RESET = "a start in the first cycle after a reset (registers = 0 in [reset])"
CONSTANTS = 'constants that change right before the start (with = "stream" in [[input]])'
TEXTS = {
    "phase_toy": "resets, other moduli, which limbtrace sim --disturb all tries; "
    f"{AFTER_RESET}, {CONSTANTS}, which it does not try",
    "stream_toy": "starts while it works, resets, other moduli, three products right behind each other, results that "
    f"wait, stalls, which limbtrace sim --disturb all tries; {AFTER_RESET}, which it does not try",
    "queue_toy": "resets, other moduli, results that wait, other stalls than those in 8 streams, one of each pattern "
    f"of the bench, which limbtrace sim --disturb all tries; {AFTER_RESET}, other moduli inside a stream (with = "
    f'"product" in [[input]]), {CONSTANTS}, streams of other than 16 products (limbtrace sim --stream), which it does '
    "not try",
    "bank_toy": "starts while it works, resets, other moduli, other sizes, three products right behind each other, a "
    "start without a load more than 3 cycles behind a product, operands in other orders, pauses between the words of "
    "a load, one operand written alone, the next operands written while it works, which limbtrace sim --disturb all "
    f"tries; {AFTER_RESET}, {CONSTANTS}, a result read after the next load (stays = \"start\" in [result]), a start "
    "with the last word of its operands (with_start of [memory]), which it does not try",
    "divider_toy": "starts while it works, resets, other moduli, three products right behind each other, which "
    f"limbtrace sim --disturb all tries; {AFTER_RESET}, {CONSTANTS}, which it does not try; q, which "
    "limbtrace sim compares with steps",
    "comb_toy": "other moduli, which limbtrace sim --disturb all tries",
}  # fmt: skip


def text_of(folder: Path) -> str:
    shell = shell_of(folder)
    return not_covered([shell, *in_order(BindRequest(core=str(folder), prime="13"), shell)], all_odd=False)


@pytest.mark.parametrize("toy", TEXTS)
def test_what_is_left(toy: str) -> None:
    assert text_of(TOYS / toy) == TEXTS[toy]


@pytest.mark.parametrize(("key", "verdicts"), [("", []), ('restart = "done"\n', ["refuted"])])
def test_a_start_in_the_cycle_of_done_is_left_where_nothing_says_that_it_may_come(
    key: str, verdicts: list[str], tmp_path: Path
) -> None:
    more = "reg soon; always @(posedge clk) if (start & ~run) soon <= done;"
    folder = core(tmp_path, more, "soon & bad ? 4'd0 : good", START_DONE + key)
    assert [failed.verdict for failed in proved(folder).failed] == verdicts
    assert ("a start in the cycle of done" in text_of(folder)) == (not verdicts)


@pytest.mark.parametrize(("key", "verdicts"), [("", []), (', with = "stream"', ["refuted"])])
def test_constants_before_the_start_are_left_where_nothing_says_that_they_change(
    key: str, verdicts: list[str], tmp_path: Path
) -> None:
    more = "reg [3:0] early, m; always @(posedge clk) begin early <= p; if (start & ~run) m <= early; end"
    folder = core(tmp_path, more, "prod % (bad ? m : p)")
    description = folder / "core.toml"
    description.write_text(description.read_text().replace('value = "p"', f'value = "p"{key}'))
    assert [failed.verdict for failed in proved(folder).failed] == verdicts
    assert ("constants that change" in text_of(folder)) == (not verdicts)
