# SPDX-License-Identifier: Apache-2.0
"""Which changes of a core and its bench make a kept proof stale."""

import shutil
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.elaboration.slang import synthesized_tokens
from limbtrace.rtl_bridge.proof.digest import digest
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.shell.text import MODULES, Shell
from tests.rtl_bridge.helpers import TOYS

SOURCE = """module m (input wire a, output wire b);
`ifdef SYNTHESIS
  assign b = ~a;
`else
  assign #1 b = ~a;
`endif
endmodule
"""


def of(folder: Path) -> str:
    request = BindRequest(core=str(folder), prime="251")
    return digest(Shell(request.bind(request.find())))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TOYS / "modmul_toy", tmp_path / "modmul_toy"))


def test_tokens_are_those_of_synthesis() -> None:
    tokens = synthesized_tokens(SOURCE)
    assert " ".join(tokens).endswith("; assign b = ~ a ; endmodule")
    assert tokens == synthesized_tokens(SOURCE.replace("#1", "#2").replace("= ~a", "=\n  ~a /* not */"))
    assert tokens != synthesized_tokens(SOURCE.replace("b = ~a", "b = a"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_tokens_reach_the_end_of_every_module_of_the_bench(path: Path) -> None:
    tokens = synthesized_tokens(path.read_text())
    assert tokens.count("module") == tokens.count("endmodule") == path.read_text().count("\nendmodule")


def test_a_comment_of_the_bench_changes_no_digest(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, text = of(copy), Shell.text.func  # type: ignore[attr-defined]
    monkeypatch.setattr(Shell, "text", property(lambda shell: text(shell) + "\n// nothing more\n"))
    assert of(copy) == before
    monkeypatch.setattr(
        Shell, "text", property(lambda shell: text(shell).replace("rst = resetting", "rst = ~resetting"))
    )
    assert of(copy) != before


def test_a_changed_source_changes_the_digest(copy: Path) -> None:
    before, source = of(copy), copy / "modmul_toy.v"
    source.write_text(source.read_text() + "// changed\n")
    assert of(copy) != before
