# SPDX-License-Identifier: Apache-2.0
"""Proofs at moduli beside the borders: what the prover refutes moves the border."""

from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.domain import proofs
from limbtrace.rtl_bridge.domain.proofs import NOT_AGAIN, OTHERWISE, Proved, prove
from limbtrace.rtl_bridge.domain.result import domain_text
from limbtrace.rtl_bridge.domain.search import Search
from limbtrace.rtl_bridge.run.job import Job
from tests.kept import DOMAIN
from tests.rtl_bridge.domain.test_search import Functions

BORDER = 0xF123456789ABCDEF


class Provable(Functions):
    """Functions with a prover."""

    def __init__(self) -> None:
        super().__init__(lambda p, _: p > BORDER, 64)
        self.differs = True
        fields = {"core": "function", "settings": {}, "build": {}, "allow_outside": False}
        self.first.job = SimpleNamespace(simulator="verilator", **fields)

    def add(self, job: Job) -> bool:
        p = int(job.prime, 16)
        if not self.differs:
            return False
        self.outcomes[p] = SimpleNamespace(modulus=p, right=False, products=0, exhausted=False)
        return True


@pytest.fixture
def search() -> Search:
    trials: Any = Provable()
    found = Search(trials, 200, 1)
    found.run()
    return found


def answering(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    monkeypatch.setattr(proofs, "decide", lambda asked, **_: (answer(int(asked.prime, 16)), ""))


def test_where_it_is_proved(monkeypatch: pytest.MonkeyPatch, search: Search) -> None:
    answering(monkeypatch, lambda p: {"verdict": "proved" if p == BORDER else "open"})
    found = prove(search, 1)
    assert found[0] == Proved(BORDER, f"beside the border of p < {BORDER + 1:#x}", "proved")
    assert [each.verdict for each in found[1:]] == ["open"] * 2
    assert len({each.modulus for each in found}) == len(found)
    assert all(search.trials.outcomes[each.modulus].right for each in found)


def test_what_the_prover_refutes_moves_the_border(monkeypatch: pytest.MonkeyPatch, search: Search) -> None:
    def answer(p: int) -> Any:
        replay = f"limbtrace sim function --prime {p:#x} --operands 0x1,0x2"
        return {"verdict": "refuted", "replay": replay, "difference": "wrong"} if p == BORDER else {"verdict": "proved"}

    answering(monkeypatch, answer)
    found = prove(search, 1)
    assert [each.modulus for each in found if each.verdict == "refuted"] == [BORDER]
    assert BORDER - 1 in [each.modulus for each in found if each.verdict == "proved"]
    (atom, border), *_ = search.bounds
    assert (atom.text, border.right, border.wrong) == (f"p < {BORDER:#x}", BORDER - 1, BORDER)


def test_a_difference_that_is_not_seen_again_is_open(monkeypatch: pytest.MonkeyPatch, search: Search) -> None:
    trials: Any = search.trials
    trials.differs = False
    replay = "limbtrace sim function --prime 0x3 --operands 0x1,0x2"
    answering(monkeypatch, lambda p: {"verdict": "refuted", "replay": replay, "difference": "wrong"})
    wrong = trials.wrong
    assert {(each.verdict, each.detail) for each in prove(search, 1)} == {("open", f"{NOT_AGAIN}: wrong")}
    assert trials.wrong == wrong


def test_a_difference_under_disturbances_is_not_about_the_modulus(
    monkeypatch: pytest.MonkeyPatch, search: Search
) -> None:
    replay = "limbtrace sim function --prime 0x3 --count 3 --disturb start"
    answering(monkeypatch, lambda p: {"verdict": "refuted", "replay": replay, "difference": "late"})
    wrong = search.trials.wrong
    found = prove(search, 1)
    assert {(each.verdict, each.detail) for each in found} == {("open", f"{OTHERWISE}: late")}
    assert search.trials.wrong == wrong


def test_what_the_prover_does_not_take(monkeypatch: pytest.MonkeyPatch, search: Search) -> None:
    def refuse(asked: object, **_: object) -> Any:
        raise ParameterError("method", "no")

    monkeypatch.setattr(proofs, "decide", refuse)
    assert {(each.verdict, each.detail) for each in prove(search, 1)} == {("open", "method: no")}


def test_a_border_that_is_proved() -> None:
    """The text of a search that was kept."""
    lines = domain_text(DOMAIN).splitlines()
    assert lines[1] == "right where p < 268"
    assert "  border: 0x10b is proved, 0x10d is wrong; no modulus is in between" in lines
    assert sum(line.startswith("refuted by the prover: 0x10d, beside the border of ") for line in lines) == 1


def test_how_proofs_are_told() -> None:
    proved = [{"modulus": "0xb", "reason": "the smallest one", "verdict": "proved"},
              {"modulus": "0xd", "reason": "the largest one", "verdict": "open", "detail": "late"}]  # fmt: skip
    document = {
        "core": "c", "model": "m", "simulator": "icarus", "mode": "bulk", "right": 2, "wrong": 0, "widths": (2, 4),
        "every": False, "products": 9, "smallest": None, "proofs": proved, "least_products": 3, "suggested": "",
        "not_tried": ["resets", "verilator"],
    }  # fmt: skip
    assert domain_text(document).splitlines()[1:] == [
        "proved for all operands: 0xb, the smallest one",
        "not decided by the prover: 0xd, the largest one (late)",
        "searched, and not proved elsewhere: a modulus counts as right if no product is seen to be wrong, of 3 or more",
        "not tried: resets, verilator",
    ]
