# SPDX-License-Identifier: Apache-2.0
"""Verilator and pyslang have nothing to say about the cores, the testbenches and the generated shells."""

from pathlib import Path

import pytest

from rtl_bridge.corefile import built_in
from rtl_bridge.lint import lint
from tests.rtl_bridge.helpers import CORE, copy_of


@pytest.mark.parametrize("core", [folder.name for folder in built_in()])
def test_clean(core: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint([core]) == 0, capsys.readouterr().err


def test_a_complaint_is_heard(tmp_path: Path) -> None:
    assert lint([str(copy_of(CORE, tmp_path, ("iddmm_arch2.sv", "c_d = u_carry;", "c_d = u_sum;")))]) == 3
    assert lint([str(tmp_path / "nowhere")]) == 1
