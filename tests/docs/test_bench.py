# SPDX-License-Identifier: Apache-2.0
"""`./run bench` measures every row and writes the page; speed itself is not tested."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bench import ROWS

TOP = Path(__file__).parents[2]


def bench(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.bench", *options]
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)


def names(page: Path) -> list[str]:
    """Rows of the table."""
    return re.findall(r"^\| `([a-z0-9-]+)` \|", page.read_text(), re.MULTILINE)


def test_the_page_has_every_row() -> None:
    assert names(TOP / "docs" / "reference" / "benchmarks.md") == [row.name for row in ROWS]


@pytest.mark.full
def test_every_row_with_a_few_products(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    done = bench("--repeats", "1", "--scale", "0.0002", "--json", "--output", str(page))
    assert done.returncode == 0, done.stderr[-3000:]
    document = json.loads(done.stdout)
    rows = document["rows"]
    assert [row["name"] for row in rows] == names(page) == [row.name for row in ROWS]
    for row in rows:
        assert row["ours_per_second"] > 0
        assert row["theirs_per_second"] > 0
        assert row["least_ratio"] == row["ratio"] == row["largest_ratio"]
        aims = [row["ratio"] >= (row["target_ratio"] or 0), row["ours_per_second"] >= (row["target_per_second"] or 0)]
        assert row["reached"] == (all(aims) if row["target_ratio"] or row["target_per_second"] else None)
    text = page.read_text()
    assert document["command"] in text
    assert all(value in text for value in document["machine"].values())


def test_one_row_leaves_the_table_alone() -> None:
    page = TOP / "docs" / "reference" / "benchmarks.md"
    before = page.read_bytes()
    done = bench("--only", "steps-bare", "--repeats", "2", "--scale", "0.001")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("| `steps-bare` |") == 1
    assert "Repeats:\n2. " in done.stdout
    assert page.read_bytes() == before


def test_a_wrong_request_is_one_sentence() -> None:
    for options, sentence in (
        (["--only", "nothing"], "--only: 'nothing' is none of vectors-readmemh, "),
        (["--repeats", "0"], "--repeats: 0 is below 1"),
        (["--scale", "0"], "--scale: 0.0 is not above 0"),
        (["--output", "/none/benchmarks.md"], "--output: /none/benchmarks.md cannot be written"),
    ):
        done = bench(*options)
        assert done.returncode == 2
        assert done.stdout == ""
        assert sentence in done.stderr.splitlines()[-1]
