# SPDX-License-Identifier: Apache-2.0
"""What a killed command leaves beside its output is removed by the next one that writes there, and nothing else is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from limbtrace.vectors.files import write_directory, write_file
from tests.patience import PATIENCE, eventually
from tests.vectors.test_cli import COMMAND

LONG = ["vectors", "cios", "--prime", "p521", "--count", "1000000"]
SHORT = ["vectors", "cios", "--prime", "p521", "--count", "3"]


def started(*words: str, folder: Path) -> subprocess.Popen[bytes]:
    """A command that writes in the folder, once there is something of its output."""
    known = set(folder.iterdir())
    process = subprocess.Popen([*COMMAND, *words], cwd=folder, stderr=subprocess.DEVNULL)
    assert eventually(lambda: any(_size(path) for path in set(folder.iterdir()) - known))
    assert process.poll() is None
    return process


def _size(path: Path) -> int:
    return sum(part.stat().st_size for part in path.iterdir()) if path.is_dir() else path.stat().st_size


@pytest.mark.parametrize("form", ["ndjson", "readmemh"])
def test_a_killed_command(form: str, tmp_path: Path) -> None:
    """Three are killed and one is at work: the next one removes what the three left, and not that of the fourth."""
    words = ["--format", form, "-o", "out"]
    for _ in range(3):
        process = started(*LONG, *words, folder=tmp_path)
        process.send_signal(signal.SIGKILL)
        process.wait()
    working = started(*LONG, *words, folder=tmp_path)
    try:
        left = {path.name for path in tmp_path.iterdir()}
        assert len(left) == 1  # it removed those of the others
        subprocess.run([*COMMAND, *SHORT, *words], cwd=tmp_path, check=True, timeout=PATIENCE)
        assert {path.name for path in tmp_path.iterdir()} == {*left, "out"}
    finally:
        working.send_signal(signal.SIGKILL)
        working.wait()
    subprocess.run([*COMMAND, *SHORT, *words], cwd=tmp_path, check=True, timeout=PATIENCE)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    """Names that are like temporary ones, and those of other outputs."""
    names = [".out.original", ".out.swp", ".out.limbtrace-", ".out.limbtrace-short", ".outer.limbtrace-abcdefgh"]
    names += ["out.limbtrace-abcdefgh", ".out.limbtrace-abcdefgh.bak", ".out.abcdefgh"]
    for name in names:
        (tmp_path / name).write_text("mine")
    (tmp_path / ".out.limbtrace-linklink").symlink_to(tmp_path / ".out.original")
    (tmp_path / ".out.limbtrace-killed00").write_text("")
    write_file(tmp_path / "out", [b"x"])
    assert {path.name for path in tmp_path.iterdir()} == {*names, "out", ".out.limbtrace-linklink"}
    assert all((tmp_path / name).read_text() == "mine" for name in names)


def test_names_are_no_patterns(tmp_path: Path) -> None:
    (tmp_path / ".a.limbtrace-abcdefgh").write_text("of another output")
    write_file(tmp_path / "[a]", [b"x"])
    write_file(tmp_path / ".*", [b"x"])
    assert (tmp_path / ".a.limbtrace-abcdefgh").exists()


@pytest.mark.parametrize("directory", [False, True])
def test_an_abandoned_one_is_removed(directory: bool, tmp_path: Path) -> None:
    left = tmp_path / ".out.limbtrace-abcdefgh"
    if directory:
        (left / "deep").mkdir(parents=True)
        (left / "deep" / "file").write_text("x")
        write_directory(tmp_path / "out", [("mark", [b"x"])], "mark")
    else:
        left.write_text("x")
        write_file(tmp_path / "out", [b"x"])
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from limbtrace.vectors.files import write_file\n"
        "for k in range(200): write_file(Path(sys.argv[1]), [sys.argv[2].encode() * 1000] * 3)\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "out"), letter], cwd=os.getcwd())
        for letter in "abcd"
    ]
    assert [writer.wait(PATIENCE) for writer in writers] == [0] * 4
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert len(set((tmp_path / "out").read_text())) == 1
