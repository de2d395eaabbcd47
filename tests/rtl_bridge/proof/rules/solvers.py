# SPDX-License-Identifier: Apache-2.0
"""Two solvers that share no code: whether a text in SMT-LIB can be fulfilled."""

from limbtrace.rtl_bridge.proof import smt

MILLISECONDS = 120_000


def by_bitwuzla(text: str) -> bool:
    """True if it can be fulfilled. Raises RuntimeError without an answer, and for a text that is none."""
    import bitwuzla

    try:
        return _decided(smt.solved(text, MILLISECONDS, 4000).verdict)
    except bitwuzla.BitwuzlaException as error:
        said = str(error)
    raise RuntimeError(said)  # without the other one, whose frames hold a parser that must not be collected late


def by_z3(text: str) -> bool:
    """True if it can be fulfilled. Raises RuntimeError without an answer."""
    import z3

    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", MILLISECONDS)
    solver.from_string(text)
    return _decided({"sat": smt.REFUTED, "unsat": smt.PROVED}.get(str(solver.check()), smt.OPEN))


def _decided(verdict: str) -> bool:
    if verdict == smt.OPEN:
        raise RuntimeError("a solver has no answer")
    return verdict == smt.REFUTED


SOLVERS = {"bitwuzla": by_bitwuzla, "z3": by_z3}
