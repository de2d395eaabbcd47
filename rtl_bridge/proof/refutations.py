# SPDX-License-Identifier: Apache-2.0
"""Refutations of the questions of a certificate, by a SAT solver, with hints for a checker (LRAT).

The solver says which clauses it learned (DRUP). Backwards from the empty one, each learned clause that is needed is
derived again by unit propagation, which says what it follows from.
"""

from collections.abc import Iterator, Sequence

from limbtrace.rtl_bridge.check_proof.clauses import Literals

CONFLICTS = 5_000
"""Of a question; beyond that it is left open."""
Steps = list[tuple[Literals, tuple[int, ...]]]


def refutation(clauses: Sequence[Literals], conflicts: int = CONFLICTS) -> Steps | bool:
    """The steps of a refutation; True if there are values for which all clauses hold, False without an answer."""
    from pysat.solvers import Glucose4

    with Glucose4(bootstrap_with=[list(clause) for clause in clauses], with_proof=True) as solver:
        solver.conf_budget(conflicts)
        answer = solver.solve_limited()
        if answer is None or answer:
            return bool(answer)
        learned = [tuple(map(int, line.split()[:-1])) for line in solver.get_proof() if not line.startswith("d")]
    return _Hints(clauses, learned).steps()


class _Hints:
    """Clauses with two watched literals each, of which the last ones are taken away again."""

    def __init__(self, clauses: Sequence[Literals], learned: list[Literals]) -> None:
        self._first = len(clauses)
        distinct = [tuple(dict.fromkeys(clause)) for clause in (*clauses, *learned)]
        end = next((n for n, clause in enumerate(distinct) if not clause), None)
        self._clauses = distinct if end is None else distinct[:end]
        self._watched: dict[int, list[int]] = {}
        self._units: list[int] = []
        for number, clause in enumerate(self._clauses):
            if len(clause) == 1:
                self._units.append(number)
            for bit in clause[:2]:
                self._watched.setdefault(bit, []).append(number)
        self._pairs = [list(clause) for clause in self._clauses]

    def steps(self) -> Steps:
        """The learned clauses that the empty one needs, with their hints, in order."""
        found: list[tuple[Literals, int, list[int]]] = [((), len(self._clauses), self._derived((), len(self._clauses)))]
        marked = set(found[0][2])
        for number in range(len(self._clauses) - 1, self._first - 1, -1):
            if number in marked:
                hints = self._derived(self._clauses[number], number)
                marked.update(hints)
                found.append((self._clauses[number], number, hints))
        found.reverse()
        place = {number: self._first + k for k, (_, number, _) in enumerate(found)}
        return [(clause, tuple(place.get(each, each) for each in hints)) for clause, _, hints in found]

    def _derived(self, clause: Literals, end: int) -> list[int]:
        """Numbers of earlier clauses that a clause follows from by unit propagation, in the order of their use."""
        reason: dict[int, int | None] = {-bit: None for bit in clause}
        trail = [*reason]
        conflict = None
        for number in self._units:
            if number < end and conflict is None:
                (bit,) = self._clauses[number]
                if -bit in reason:
                    conflict = number
                elif bit not in reason:
                    reason[bit] = number
                    trail.append(bit)
        at = 0
        while conflict is None and at < len(trail):
            conflict = self._propagated(trail[at], end, reason, trail)
            at += 1
        assert conflict is not None, "the solver learned a clause that does not follow"
        wanted, hints = {-bit for bit in self._clauses[conflict]}, [conflict]
        for bit in reversed(trail):
            because = reason[bit]
            if bit in wanted and because is not None:
                hints.append(because)
                wanted.update(-other for other in self._clauses[because] if other != bit)
        return hints[::-1]

    def _propagated(self, bit: int, end: int, reason: dict[int, int | None], trail: list[int]) -> int | None:
        """The clause that is false once a bit is true, if any."""
        waiting, kept = self._watched.get(-bit, []), list[int]()
        for place, number in enumerate(waiting):
            pair = self._pairs[number]
            if number >= end or len(pair) < 2:
                kept.append(number)
                continue
            if pair[0] == -bit:
                pair[0], pair[1] = pair[1], pair[0]
            other = pair[0]
            if other in reason:
                kept.append(number)
                continue
            for k in range(2, len(pair)):
                if -pair[k] not in reason:
                    pair[1], pair[k] = pair[k], pair[1]
                    self._watched.setdefault(pair[1], []).append(number)
                    break
            else:
                kept.append(number)
                if -other in reason:
                    self._watched[-bit] = kept + waiting[place + 1 :]
                    return number
                reason[other] = number
                trail.append(other)
        self._watched[-bit] = kept
        return None


def lines(steps: Steps) -> Iterator[str]:
    """One line for each step."""
    for clause, hints in steps:
        yield " ".join(map(str, (*clause, 0, *hints)))
