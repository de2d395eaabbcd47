# SPDX-License-Identifier: Apache-2.0
"""The plugin for pytest, in a test run of its own."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT
from tests.rtl_bridge.helpers import CORE, copy_of

TESTS = """
import pytest


def test_one_run(limbtrace_sim):
    report = limbtrace_sim({good!r}, prime="0xea7", radix=16, count=3, simulator="icarus")
    assert report.tally.verified == 3


def test_wrong_option(limbtrace_sim):
    limbtrace_sim({good!r}, prime="0xea7", radix=17, simulator="icarus")


@pytest.mark.limbtrace(core={good!r}, primes=["0xea7", "mlkem"], counts=[2, 4], radix=16, simulator="icarus")
def test_every_prime(limbtrace_report):
    assert limbtrace_report.passed


@pytest.mark.limbtrace(core={bad!r}, primes=["0xea7"], radix=16, simulator="icarus", operands=[(0xe8a, 0xd66)])
def test_a_fault(limbtrace_report):
    raise AssertionError("a report with a difference never comes here")
"""


def run(folder: Path, text: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str | None]]:
    """A run of pytest over one file; its output, and the message of each failure by test."""
    (folder / "test_mine.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junit-xml=out.xml", "test_mine.py"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment |= {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    found: dict[str, str | None] = {}
    if (folder / "out.xml").exists():
        for case in ElementTree.parse(folder / "out.xml").iter("testcase"):
            failure = case.find("failure")
            found[str(case.get("name"))] = None if failure is None else failure.text
    return done, found


@pytest.mark.budget
def test_fixture_and_marker(tmp_path: Path) -> None:
    bad = copy_of(CORE, tmp_path / "bad", ("lt_iddmm_arch2.sv", "c_q <= u_carry", "c_q <= 1'b1 ^ u_carry"))
    done, found = run(tmp_path, TESTS.format(good=str(CORE), bad=str(bad)))
    assert done.returncode == 1, done.stdout + done.stderr
    assert [name for name, text in found.items() if text is None] == [
        "test_one_run",
        *(f"test_every_prime[{prime}-{count}]" for prime in ("0xea7", "mlkem") for count in (2, 4)),
    ]
    assert "limbtrace: radix: " in str(found["test_wrong_option"])
    fault = str(found["test_a_fault[0xea7]"])
    assert "first divergence, case 0, in cycle 1: C" in fault
    assert "replay: limbtrace sim" in fault
    assert "Traceback" not in fault


def test_a_marker_without_what_it_needs(tmp_path: Path) -> None:
    for text, sentence in (
        ("def test_it(limbtrace_report): pass\n", "limbtrace_report needs @pytest.mark.limbtrace"),
        ("import pytest\n@pytest.mark.limbtrace(core='x')\ndef test_it(limbtrace_report): pass\n", "needs 'primes'"),
    ):
        done, _ = run(tmp_path, text)
        assert done.returncode != 0
        assert sentence in done.stdout + done.stderr
