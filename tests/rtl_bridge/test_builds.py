# SPDX-License-Identifier: Apache-2.0
"""The cache of builds: what goes into the key, who may work in it at the same time, what an interruption leaves."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rtl_bridge import builds
from rtl_bridge.builds import build
from rtl_bridge.corefile import Core
from rtl_bridge.shell import Shell
from rtl_bridge.simulation import simulate
from rtl_bridge.tools import Tool
from tests.rtl_bridge.helpers import CORE, copy_of, job
from vectors.errors import ToolError

SMALL = {"radix": "2^4"}


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIMBTRACE_BUILD", str(folder))
    return folder


def shell(core: str | Path = CORE, **fields: Any) -> Shell:
    return Shell(job(core, settings=SMALL, **fields).bind())


def folders(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if path.is_dir())


def test_the_key_follows_everything_that_matters(cache: Path, tmp_path: Path) -> None:
    first = build(shell(), "icarus", "lockstep", waves=False)
    assert build(shell(), "icarus", "lockstep", waves=True) == first  # Icarus needs no other model for waves
    edited = copy_of(CORE, tmp_path, ("lt_mont_frame.sv", "// Control //", "//  control  //"))
    others = [
        build(shell(build={"NMax": 5}), "icarus", "lockstep", waves=False),
        build(shell(), "icarus", "bulk", waves=False),
        build(shell(edited), "icarus", "lockstep", waves=False),
    ]
    assert folders(cache) == sorted(b.folder.name for b in [first, *others])
    assert len(set(folders(cache))) == 4


def test_two_at_once_build_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    make = builds._make

    def counted(*arguments: Any) -> None:
        made.append(arguments)
        make(*arguments)

    monkeypatch.setattr(builds, "_make", counted)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: build(shell(), "icarus", "lockstep", waves=False), range(4)))
    assert len(set(results)) == 1
    assert len(made) == 1


def test_an_interrupted_build_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(builds, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            build(shell(), "icarus", "lockstep", waves=False)
    assert folders(cache) == []
    assert (build(shell(), "icarus", "lockstep", waves=False).folder / "sim").is_file()


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LIMBTRACE_BUILD", raising=False)
    assert builds.cache() == Path(builds.__file__).parent.parent / "build" / "sim"
    monkeypatch.setattr(builds, "__file__", str(tmp_path / "site" / "rtl_bridge" / "builds.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert builds.cache() == tmp_path / "limbtrace"


def test_the_core_is_only_read(cache: Path, tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path)
    before = {path.name: path.read_bytes() for path in core.iterdir()}
    build(shell(core), "icarus", "bulk", waves=False)
    assert {path.name: path.read_bytes() for path in core.iterdir()} == before
    assert isinstance(shell(core).bound.core, Core)


def test_the_key_follows_included_files_wherever_they_are(cache: Path, tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "2'(u_carry);", '\n`include "deep/top.inc"\n'))
    included = core / "deep" / "top.inc"
    included.parent.mkdir()
    included.write_text("2'(u_carry);\n")
    assert simulate(job(core, settings=SMALL, count=5)).passed
    included.write_text("2'(u_sum);\n")
    assert not simulate(job(core, settings=SMALL, count=5)).passed


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_model_that_is_gone_is_built_anew(spoil: Any, cache: Path) -> None:
    first = build(shell(), "icarus", "lockstep", waves=False)
    spoil(first.folder / "sim")
    assert simulate(job(settings=SMALL)).passed
    assert folders(cache) == [first.folder.name]


def test_a_compiler_that_makes_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "simulator", lambda name: Tool("true", "of no use"))
    with pytest.raises(ToolError, match="true made no model; the last lines of"):
        build(shell(), "icarus", "lockstep", waves=False)
    assert folders(cache) == []
