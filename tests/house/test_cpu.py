# SPDX-License-Identifier: Apache-2.0
"""A run of tests says what they cost, with the programs that they start."""

import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]
TESTS = """
import subprocess, sys, time

BUSY = "import time\\nwhile time.process_time() < 1.2: pass"

def test_itself():
    end = time.process_time() + 1.2
    while time.process_time() < end: pass

def test_a_program():
    subprocess.run([sys.executable, "-c", BUSY], check=True)

def test_that_waits():
    time.sleep(1.2)
"""


def test_a_run_says_what_its_tests_cost(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.cpu", "-q", "--junit-xml=each.xml", "test_it.py"]
    environment = {**os.environ, "PYTHONPATH": str(TOP)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert re.search(r"^processor time: [2-4] s \(test_it.py [2-4]\)$", done.stdout, re.MULTILINE), done.stdout
    text = (tmp_path / "each.xml").read_text()
    costs = [float(found) for found in re.findall(r'name="cpu" value="([0-9.]+)"', text)]
    assert [cost >= 1 for cost in costs] == [True, True, False]
