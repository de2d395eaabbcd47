# SPDX-License-Identifier: Apache-2.0
"""The lists of errata have no gaps, and their statements about figures and circuits are true."""

import re

import pytest

from limbtrace.refmodels.erratum import OperationErratum, StatementErratum, TextErratum
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, PAPERS, RIGHT, errata

LISTED = {"iddmm": 30, "fpmm": 28, "redundant": 28, "hffm": 25, "llmonpro": 25}
"""Numbers of each list; a letter after a number denotes a further example."""


def number(id: str) -> int:
    found = re.fullmatch(r"[a-z]+\.E(\d+)[a-z]?", id)
    assert found, id
    return int(found[1])


@pytest.mark.parametrize("paper", LISTED)
def test_every_number_is_an_entry_or_right_as_printed(paper: str) -> None:
    ids = [erratum.id for erratum in PAPERS[paper].errata]
    assert len(set(ids)) == len(ids)
    assert {id.partition(".")[0] for id in ids} == {paper}
    right = [number(id) for id in RIGHT if id.startswith(f"{paper}.")]
    assert sorted({*map(number, ids)} | set(right)) == list(range(1, LISTED[paper] + 1))
    assert not {*map(number, ids)} & set(right)


def test_the_papers_are_those_with_figures() -> None:
    assert list(PAPERS) == list(LISTED)
    for paper in PAPERS.values():
        for erratum in paper.errata:
            assert {model.id for model in erratum.models} <= set(MODELS)
            assert erratum.printed != erratum.corrected


def test_statements_about_figures() -> None:
    """Values computed by hand from the figures of the tables."""
    assert {erratum.id: list(erratum.values.values()) for erratum in errata(StatementErratum)} == {
        "fpmm.E20": ["129.29", "38.46", "109.39", "36.78"],
        "fpmm.E21": ["1.70", "1.72", "1.82", "1.71", "1.84", "2.24", "2", "1.49"],
        "fpmm.E22": ["124.80", "149.62", "162.16", "134.29"],
        "fpmm.E23": ["523", "545", "600"],
        "fpmm.E24": ["1.48", "3.96", "1.55", "4.39", "1.33", "3.88", "1.43", "2.79"],
        "fpmm.E25": ["916.67", "16500"],
        "redundant.E25": ["120.27", "160.89", "75.65"],
        "llmonpro.E16": ["160144"],
        "llmonpro.E18": ["17.77", "16.85"],
        "llmonpro.E19": ["12034", "12921", "26569", "27789", "58376", "51583"],
        "llmonpro.E21": ["12675", "13068", "13872"],
    }
    assert {erratum.kind for erratum in errata(StatementErratum)} == {"statement"}


def test_operations_on_streams_and_units() -> None:
    ours = [erratum for erratum in errata(OperationErratum) if erratum.id.startswith("fpmm.")]
    assert {erratum.id: (erratum.promised, erratum.found()) for erratum in ours} == {
        "fpmm.E15": (12, 4),
        "fpmm.E17": (2, 9),
    }


def test_circuits_that_are_right() -> None:
    """A product in a circuit for a statement about its cycles."""
    products = {erratum.id: erratum.product for erratum in errata(TextErratum) if erratum.product is not None}
    assert {id: product.result for id, product in products.items()} == {"iddmm.E19": 53}
    assert {product.architecture.id for product in products.values()} <= set(ARCHITECTURES)
