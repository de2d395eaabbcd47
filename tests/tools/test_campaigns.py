# SPDX-License-Identifier: Apache-2.0
"""The measurements of campaigns run, and their page has what they wrote."""

import json

import pytest

from tools.campaigns import main, table


def test_a_farm_that_only_waits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "farm", "--farm", "300", "--workers", "20"]) == 0
    farm = json.loads(capsys.readouterr().out)["farm"]
    assert farm["shards"] == 300
    assert farm["shards_per_second_of_the_farm"] <= 20 / 4.0 * 1.2


def test_the_table_of_the_page() -> None:
    kills = "| kills | lost | 0 |"
    before = table({"farm": {"workers": 7, "of_old": 1}}, kills)
    text = table({"farm": {"workers": 1000, "shards_per_second": 1234}}, before)
    assert text.splitlines()[2:] == [kills, "| farm | workers | 1,000 |", "| farm | shards per second | 1,234 |"]


@pytest.mark.full
def test_kills(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "kills", "--kills", "4"]) == 0
    kills = json.loads(capsys.readouterr().out)["kills"]
    assert (kills["workers_killed"], kills["lost"], kills["doubled"], kills["set_aside"]) == (4, 0, 0, 0)
