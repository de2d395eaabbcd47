# SPDX-License-Identifier: Apache-2.0
"""What a core names stays inside its folder, unless that is allowed."""

import os
import shlex
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import BUILT_IN, find
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.synthesis.areas import kept
from tests.rtl_bridge.helpers import TOYS, copy_of, job
from tests.vectors.test_cli import run

SECRET = "MARK_OF_A_SECRET"


def described(target: Path, file: str) -> Path:
    """A copy of a toy that names a file of that name."""
    return copy_of(TOYS / "bit_toy", target, ("core.toml", 'files = ["bit_toy.v"]', f'files = ["{file}", "bit_toy.v"]'))


def by_path(target: Path) -> Path:
    return described(target, "../outside.v")


def by_absolute_path(target: Path) -> Path:
    return described(target, str(target / "outside.v"))


def by_link(target: Path) -> Path:
    folder = described(target, "inside.v")
    (folder / "inside.v").symlink_to(target / "outside.v")
    return folder


def by_linked_folder(target: Path) -> Path:
    folder = described(target, "deep/outside.v")
    (folder / "deep").symlink_to(target)
    return folder


def by_include(target: Path) -> Path:
    return copy_of(
        TOYS / "bit_toy", target, ("bit_toy.v", "module bit_toy (", '`include "../outside.v"\nmodule bit_toy (')
    )


def by_linked_description(target: Path) -> Path:
    folder = copy_of(TOYS / "bit_toy", target)
    (folder / "core.toml").rename(target / "core.toml")
    (folder / "core.toml").symlink_to(target / "core.toml")
    return folder


WAYS = [by_path, by_absolute_path, by_link, by_linked_folder, by_include, by_linked_description]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["sim", "export", "synth"])
def test_it_is_refused(command: str, way: object, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "outside.v").write_text(f"// {SECRET}\n")
    folder = way(tmp_path)  # type: ignore[operator]
    words = [command, str(folder), "--prime", "13", *(["-o", str(tmp_path / "out")] if command != "sim" else [])]
    code, out, err = run(capfd, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "leads outside the folder of the core, which --allow-outside permits" in err
    assert SECRET not in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("way", WAYS)
def test_it_may_be_allowed_and_is_said_again_by_a_replay(way: object, tmp_path: Path) -> None:
    (tmp_path / "outside.v").write_text(f"// {SECRET}\n")
    settled = settle(job(way(tmp_path), "13", allow_outside=True))  # type: ignore[operator]
    assert "--allow-outside" in shlex.split(settled.replay(0))


def test_nothing_is_said_of_it_where_it_was_not_asked_for() -> None:
    assert "outside" not in settle(job()).replay(0)


def test_an_export_has_what_was_allowed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "outside.v").write_text(f"// {SECRET}\n")
    words = ["--prime", "13", "--allow-outside", "-o", str(tmp_path / "out")]
    code, _, err = run(capfd, "export", str(by_path(tmp_path)), *words)
    assert (code, err) == (0, "")
    assert (tmp_path / "out" / "rtl" / "outside.v").read_text() == f"// {SECRET}\n"


def test_what_is_wrong_outside_is_not_shown(tmp_path: Path) -> None:
    """The message of a compiler would say where it stopped."""
    (tmp_path / "outside.v").write_text(f"{SECRET} this is no Verilog\n")
    with pytest.raises(ParameterError, match="leads outside") as caught:
        settle(job(by_include(tmp_path), "13"))
    assert SECRET not in str(caught.value)


def test_the_folder_may_be_a_link_and_links_may_stay_inside(tmp_path: Path) -> None:
    folder = described(tmp_path, "again.v")
    (folder / "deep").mkdir()
    (folder / "deep" / "empty.v").write_text("")
    (folder / "again.v").symlink_to("deep/empty.v")
    (tmp_path / "link").symlink_to(folder)
    assert settle(job(tmp_path / "link", "13")).bound


def test_files_of_built_in_cores_are_for_everybody(tmp_path: Path) -> None:
    cell = os.path.relpath(BUILT_IN / "cells" / "lt_cut.sv", (tmp_path / "bit_toy").resolve())
    assert settle(job(described(tmp_path, cell), "13")).bound
    assert find("vdf_squarer_axil").rtl


def test_kept_areas_may_not_come_from_elsewhere(tmp_path: Path) -> None:
    folder = copy_of(TOYS / "bit_toy", tmp_path)
    (tmp_path / "rows").write_text(SECRET)
    (folder / "synth.csv").symlink_to(tmp_path / "rows")
    with pytest.raises(ParameterError, match="leads outside"):
        kept(find(str(folder)))


@pytest.mark.parametrize("name", ["$(touch x).v", 'a\\" --x \\"b.v', "`x`.v", "a\\nb.v", "a;b.v", "#.v", "%s\\u0007.v"])
def test_file_names_are_nothing_but_names(name: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="has characters that not every tool takes"):
        find(str(described(tmp_path, name)))
