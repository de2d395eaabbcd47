# SPDX-License-Identifier: Apache-2.0
"""Which questions are asked about an obligation, in which order."""

from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.smt import OPEN, PROVED, REFUTED, SolverAnswer
from limbtrace.rtl_bridge.proof.solver import Obligation, Solver
from limbtrace.rtl_bridge.proof.workers import Workers

WIDTH, FACTOR = 24, 0xB5A3C9


class _Few(Workers[Obligation]):
    """A solver that decides nothing about more than one multiplied fact."""

    def __init__(self) -> None:
        super().__init__(1, 1000)
        self.asked: list[tuple[bool, int]] = []
        """Whether products are multiplied, and the number of facts."""
        self._about: list[tuple[Obligation, SolverAnswer]] = []

    @property
    def open(self) -> int:
        return len(self._about)

    def ask(self, about: Obligation, question: str, seconds: int) -> None:
        multiplied, facts = "QF_UFBV" not in question, question.count("(assert (= ") - 1
        self.asked.append((multiplied, facts))
        verdict = REFUTED if not multiplied or not facts else PROVED if facts == 1 else OPEN
        self._about.append((about, SolverAnswer(verdict)))

    def answers(self, **_: object) -> list[tuple[Obligation, SolverAnswer]]:  # type: ignore[override]
        answers, self._about = self._about, []
        return answers


def test_few_definitions_first_where_products_count() -> None:
    """x is y + 1, and y is a product: with the second definition the solver here would end without an answer."""
    pool = TermPool()
    x, y, z, u, v = (pool.variable(name, WIDTH) for name in "xyzuv")
    solver = Solver(pool, 1, 10)
    workers = solver._workers = _Few()
    solver.definitions |= {x: pool.add(y, pool.constant(WIDTH, 1)), y: pool.extract(pool.product(u, v), WIDTH - 1, 0)}
    scaled = pool.extract(pool.product(x, pool.constant(WIDTH, FACTOR)), WIDTH - 1, 0)
    solver.equal(pool.bvand(scaled, z), pool.constant(WIDTH, 0), "first", "r", 3, "r[0]")
    solver.finish()
    assert not solver.failed
    assert workers.asked == [(False, 0), (False, 1), (False, 2), (True, 0), (True, 1)]
