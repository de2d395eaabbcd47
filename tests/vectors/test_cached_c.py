# SPDX-License-Identifier: Apache-2.0
"""C that is compiled on first use: once, whole, and never needed."""

import ctypes
import logging
import multiprocessing
from pathlib import Path

import pytest

from limbtrace.vectors.compiled import build
from limbtrace.vectors.errors import ToolError

TEXT = "int lt_number(void);\nint lt_number(void) { return 42; }\n"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIMBTRACE_BUILD", str(folder))
    monkeypatch.delenv("CC", raising=False)  # also in a run that does without
    monkeypatch.setattr(build, "_loaded", {})
    monkeypatch.setattr(build, "_said", set())
    return folder


def number(text: str = TEXT) -> int:
    library = build.compiled(text, "number")
    assert isinstance(library, ctypes.CDLL)
    return int(library.lt_number())


def made(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if path.suffix != ".lock")


def counting(folder: Path) -> Path:
    """A compiler that leaves a line for every call."""
    script = folder / "counting-cc"
    script.write_text(f'#!/bin/sh\necho called >> "{folder}/calls"\nexec cc "$@"\n')
    script.chmod(0o755)
    return script


def test_a_text_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", str(counting(tmp_path)))
    assert number() == 42
    build._loaded.clear()
    assert number() == 42
    assert (tmp_path / "calls").read_text() == "called\n"
    assert number(TEXT.replace("42", "43")) == 43
    assert len(made(cache)) == 2


def test_processes_at_once_compile_once(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", str(counting(tmp_path)))
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert pool.map(number, [TEXT] * 4) == [42] * 4
    assert (tmp_path / "calls").read_text() == "called\n"
    assert len(made(cache)) == 1


@pytest.mark.parametrize("chosen", ["", "no-such-compiler"])
def test_without_a_compiler(chosen: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("CC", chosen)
    with caplog.at_level(logging.INFO, "limbtrace"):
        assert build.compiled(TEXT, "number") is None
        assert build.compiled(TEXT, "number") is None
    assert [record.message.partition(";")[0] for record in caplog.records] == ["there is no C compiler"]


def test_a_compiler_that_fails(cache: Path) -> None:
    with pytest.raises(ToolError, match=r"failed with exit code 1: .*lt_number"):
        build.compiled(TEXT.replace("int lt_number(void) {", "double lt_number(void) {"), "number")
    assert made(cache) == []


def test_a_cache_that_cannot_be_written(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache.write_text("a file in the place of the folder")
    with caplog.at_level(logging.INFO, "limbtrace"):
        assert build.compiled(TEXT, "number") is None
    assert "compiled code cannot be kept" in caplog.text


def test_a_file_that_a_crash_left_empty(cache: Path) -> None:
    command = build.compiler()
    assert command is not None
    cache.mkdir()
    (cache / f"number-{build._key(TEXT, command)}.so").touch()
    assert number() == 42
    assert len(made(cache)) == 1


def test_a_process_that_may_not_compile(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses what is there."""
    assert number() == 42
    monkeypatch.setattr(build, "new_allowed", False)
    build._loaded.clear()
    assert number() == 42
    assert build.compiled(TEXT.replace("42", "43"), "number") is None
    assert len(made(cache)) == 1
