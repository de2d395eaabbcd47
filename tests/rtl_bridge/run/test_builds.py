# SPDX-License-Identifier: Apache-2.0
"""The build cache: contents of the key, concurrent use, and effects of an interruption."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.programs.tool import Tool
from limbtrace.rtl_bridge.run import builds
from limbtrace.rtl_bridge.run.builds import Build, build
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.simulators import verilator
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors import cache as kept
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job

SMALL = {"radix": "2^4"}


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIMBTRACE_BUILD", str(folder))
    return folder


def shell(core: str | Path = CORE, **fields: Any) -> Shell:
    return settle(job(core, settings=SMALL, **fields)).shell


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
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(builds, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            build(shell(), "icarus", "lockstep", waves=False)
    assert folders(cache) == []
    assert (build(shell(), "icarus", "lockstep", waves=False).folder / "sim").is_file()


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LIMBTRACE_BUILD", raising=False)
    assert kept.folder() == Path(kept.__file__).resolve().parents[1] / "build" / "sim"
    monkeypatch.setattr(kept, "__file__", str(tmp_path / "site" / "vectors" / "cache.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kept.folder() == tmp_path / "limbtrace"


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


def test_a_copy_is_the_same_model_wherever_it_is(cache: Path, tmp_path: Path) -> None:
    """Its own folder is searched for included files, and others of it may be."""
    models = set()
    for place in ("here", "there", "elsewhere"):
        core = copy_of(CORE, tmp_path / place, ("core.toml", "\ntop = ", '\ninclude = ["deep"]\ntop = '))
        (core / "deep").mkdir()
        models.add(build(shell(core), "icarus", "lockstep", waves=False).folder)
    assert len(models) == 1
    assert build(shell(copy_of(CORE, tmp_path / "plain")), "icarus", "lockstep", waves=False).folder not in models


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


COMPILER = """#!/bin/sh
[ "$1" != --version ] || exec echo stand-in {version}
echo "$@" >>{calls}
sleep {pause}
case "$*" in *{fails}*) echo no room >&2; exit 1 ;; esac
while [ "$1" != -o ]; do [ $# != 0 ] || exit 0; shift; done
echo made >"$2"
"""
"""A fake compiler that records its inputs and always gives the same output."""


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Puts a compiler before that of the system, repeatedly."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def put(version: int = 1, fails: str = "nothing", pause: int = 0) -> None:
        text = COMPILER.format(version=version, fails=fails, pause=pause, calls=tmp_path / "calls")
        for name in ("c++", "g++"):
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)

    return put


def compiled(tmp_path: Path) -> Counter[str]:
    """How often each file of Verilator's runtime was compiled since the last call."""
    calls = tmp_path / "calls"
    sources = [Path(line.split()[-1]).name for line in calls.read_text().splitlines()] if calls.exists() else []
    calls.unlink(missing_ok=True)
    return Counter(name for name in sources if name.startswith(("verilated", "runtime")))


def model(core: str | Path = CORE, mode: str = "fast", **fields: Any) -> Build:
    return build(shell(core, simulator="verilator", **fields), "verilator", mode, waves=False)


RUNTIME = Counter(["verilated.cpp", "verilated_threads.cpp", "runtime.h"])


def test_the_runtime_is_compiled_once(cache: Path, compiler: Callable[..., None], tmp_path: Path) -> None:
    compiler(pause=1)
    shells = [shell(core, simulator="verilator") for core in (CORE, "iddmm_arch1", TOYS / "digit_toy")]
    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(lambda made: build(made, "verilator", "fast", waves=False), shells))) == 3
    assert compiled(tmp_path) == RUNTIME
    model(build={"NMax": 5})
    assert compiled(tmp_path) == Counter()


def test_a_part_of_the_runtime_that_is_gone_is_compiled_anew(
    cache: Path, compiler: Callable[..., None], tmp_path: Path
) -> None:
    compiler()
    model()
    compiled(tmp_path)
    next(cache.glob("verilator-runtime-*/verilated_threads.o")).write_bytes(b"")
    next(cache.glob("verilator-runtime-*/verilated.o")).unlink()
    model("iddmm_arch1")
    assert compiled(tmp_path) == Counter(["verilated.cpp", "verilated_threads.cpp"])


def test_a_runtime_is_that_of_its_compiler_and_flags(
    cache: Path, compiler: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler()
    model()
    compiler(version=2)
    model("iddmm_arch1")
    monkeypatch.setenv("CXXFLAGS", "-DANOTHER")
    model(TOYS / "digit_toy")
    assert compiled(tmp_path) == Counter(dict.fromkeys(RUNTIME, 3))
    model(TOYS / "digit_toy", "bulk")
    assert compiled(tmp_path) == RUNTIME + Counter(["verilated_timing.cpp"])
    monkeypatch.setattr(builds, "simulator", lambda name: replace(verilator(), version="another"))
    model(build={"NMax": 5})
    assert compiled(tmp_path) == RUNTIME


def test_a_runtime_that_cannot_be_compiled(cache: Path, compiler: Callable[..., None], tmp_path: Path) -> None:
    compiler(fails="verilated_threads.cpp")
    with pytest.raises(ToolError, match=r"^the compiler of Verilator's runtime failed with exit code 2; the last "):
        model()
    assert folders(cache) == []
    compiled(tmp_path)
    compiler()
    model()
    assert compiled(tmp_path) == RUNTIME
