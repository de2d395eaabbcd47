# SPDX-License-Identifier: Apache-2.0
"""Logic between registers that is too deep for Yosys' stack."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof import elaborate
from limbtrace.rtl_bridge.proof.deep_logic import with_intermediate_outputs
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS
from tests.rtl_bridge.proof.small_core import core, shell_of
from tests.rtl_bridge.proof.test_proof import proved
from tests.rtl_bridge.proof.test_readings import verdict

LEVELS = 320
"""Of two cells each: 300 are too many. After two levels there is what there was before."""
CHAIN = (
    f"wire [3:0] c [0:{LEVELS}]; assign c[0] = x; genvar g;"
    f"generate for (g = 0; g < {LEVELS}; g = g + 1) assign c[g + 1] = ~(c[g] + y); endgenerate"
)
END = f"c[{LEVELS}]"


@pytest.mark.budget
@pytest.mark.parametrize(("value", "wanted"), [(f"good ^ {END}", "refuted"), (f"good ^ {END} ^ x", "proved")])
def test_a_long_chain(value: str, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Mock(wraps=with_intermediate_outputs)
    monkeypatch.setattr(elaborate, "with_intermediate_outputs", found)
    assert verdict(core(tmp_path, CHAIN, value)) == wanted
    assert found.called


@pytest.mark.full
def test_a_combinational_core_at_256_bits() -> None:
    """Bit by bit, with two subtractions each."""
    assert proved(TOYS / "comb_toy", "p256")[0] == 0


def test_a_long_combinational_loop(tmp_path: Path) -> None:
    closed = CHAIN.replace("assign c[0] = x;", f"assign c[0] = run ? x : {END};")
    with pytest.raises(ParameterError, match="dut has a combinational loop"):
        elaborate.elaborated(shell_of(core(tmp_path, closed, f"good ^ {END}")))


def test_a_function_that_calls_itself(tmp_path: Path) -> None:
    own = "function automatic [3:0] f(input [3:0] n); f = n == 0 ? 4'd0 : f(n - 4'd1); endfunction"
    with pytest.raises(ToolError, match="exhausts the stack of Yosys: it is very deep, or a function calls itself"):
        elaborate.elaborated(shell_of(core(tmp_path, own, "good ^ f(x)")))
