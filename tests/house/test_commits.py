# SPDX-License-Identifier: Apache-2.0
"""Subjects of commits are at most 72 characters long; the number of older ones that are longer cannot grow."""

import subprocess

from tests.conftest import ROOT

MOST_CHARACTERS = 72
LONGER = 293
"""Subjects before this rule that are longer."""


def test_subjects_of_commits_are_short() -> None:
    """In a copy of the sources without their history there are none."""
    done = subprocess.run(["git", "-C", ROOT, "log", "--format=%s"], capture_output=True, text=True, check=False)
    longer = [subject for subject in done.stdout.splitlines() if len(subject) > MOST_CHARACTERS]
    assert len(longer) <= LONGER, longer[:5]
