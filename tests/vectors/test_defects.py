# SPDX-License-Identifier: Apache-2.0
"""The atlas of defects as documents, on the command line, and as it was measured."""

import json
import shlex

import pytest
from click.testing import CliRunner

from limbtrace.refmodels.defects import ATLAS, DefectKind
from limbtrace.vectors.catalogue import defect_document, defects_document
from limbtrace.vectors.catalogue.defects import measured, multiplier_of
from limbtrace.vectors.cli import cli
from limbtrace.vectors.request import DIRECTED
from tools import defects as tool


def test_the_list_is_that_of_the_atlas() -> None:
    document = defects_document()
    assert [entry["id"] for entry in document["defects"]] == list(ATLAS)
    assert set(document["mechanisms"]) == {kind.value for kind in DefectKind}
    assert set(measured()["first"]) == set(ATLAS), "./run defects"


@pytest.mark.parametrize("name", list(ATLAS)[::6])
def test_first_cases_are_as_measured(name: str) -> None:
    """`./run defects` measures them anew."""
    kept = measured()["first"][name]
    assert list(kept) == list(tool.TRIED)
    for kind in (DIRECTED, "mixed"):
        assert tool.first_case(ATLAS[name], kind) == kept[kind]


def test_the_page_is_what_was_measured() -> None:
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(measured()), "./run defects"


def test_directed_finds_most_of_them_early() -> None:
    """Nine of ten in 100 cases; few are found by drawn operands."""
    first = [found[DIRECTED] for found in measured()["first"].values()]
    drawn = [found["random"] for found in measured()["first"].values()]
    assert sum(case is not None and case < 16 for case in first) >= 0.8 * len(first)
    assert sum(case is not None and case < 100 for case in first) >= 0.9 * len(first)
    assert sum(case is not None for case in drawn) < 0.4 * len(drawn)


@pytest.mark.parametrize("name", list(ATLAS)[::20])
def test_the_command_of_an_entry_shows_it(name: str) -> None:
    entry, defect = defect_document(name), ATLAS[name]
    words = shlex.split(entry["command"])
    assert words[0] == "limbtrace"
    (group,) = json.loads(CliRunner().invoke(cli, words[1:]).stdout)["testGroups"]
    modulus = multiplier_of(defect).modulus.modulus
    wrong = [
        defect.compute(int(case["a"], 16), int(case["b"], 16), modulus) != int(case["result"], 16)
        for case in group["tests"]
    ]
    assert wrong[-1]
    assert not any(wrong[:-1])


def test_right_and_wrong_results_differ() -> None:
    assert all(entry["right"] != entry["wrong"] for entry in defects_document()["defects"])


def test_the_command_line() -> None:
    listed = CliRunner().invoke(cli, ["defects", "--mechanism", "sign"])
    assert listed.exit_code == 0
    assert len(listed.stdout.splitlines()) == len(defects_document("sign")["defects"])
    shown = CliRunner().invoke(cli, ["defects", "openssl-cve-2015-3193"]).stdout
    assert "CVE-2015-3193" in shown
    assert "seen with\n  limbtrace vectors montgomery" in shown
    for words, sentence in (
        (["defects", "nix"], "'nix' is not in the atlas"),
        (["defects", "--mechanism", "odd"], "'odd' is not one of carry, width"),
        (["defects", "go-13907", "--mechanism", "carry"], "a defect by its id needs none"),
    ):
        refused = CliRunner().invoke(cli, words)
        assert sentence in str(refused.exception or refused.output)
