# SPDX-License-Identifier: Apache-2.0
"""The simplest condition that no wrong modulus fulfils, and as many of the right ones as possible.

A condition is a conjunction of a few atoms. A modulus counts as wrong if a product was seen to be, so no wrong one may
fulfil it. One that counts as right may have products that are wrong and were not tried, so right ones may be left out
where that makes the condition simpler.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from limbtrace.rtl_bridge.domain.terms import EQUAL, LEAST, LESS, OTHER, ModulusAtom, ModulusTerm, rounded, simplest

MOST_ATOMS = 3
KEPT = 6
"""Unfinished conditions that are gone on with."""
SINGLED_OUT = 4
"""Values of a term that are singled out, those of the most moduli."""
PRICE = 100.0
"""Cost of a condition that leaves out all right moduli; the costs of atoms are some 0.5 to 3."""


@dataclass(frozen=True)
class ModulusCondition:
    """Atoms that all hold, at least one."""

    atoms: tuple[ModulusAtom, ...]
    left_out: int
    """Moduli that count as right and do not fulfil it."""

    def holds(self, p: int) -> bool:
        """True if a modulus fulfils it."""
        return all(atom.holds(p) for atom in self.atoms)

    @property
    def texts(self) -> list[str]:
        """As key `modulus` of a `core.toml`."""
        return [atom.text for atom in self.atoms]

    @property
    def text(self) -> str:
        return " and ".join(self.texts)


@dataclass(frozen=True)
class _Violations:
    """An atom with the samples that violate it, as bits."""

    atom: ModulusAtom
    right: int
    wrong: int


@dataclass(frozen=True)
class _Partial:
    """A condition in the making: wrong samples that still fulfil it, and right ones that it leaves out."""

    atoms: tuple[ModulusAtom, ...]
    wrong: int
    left_out: int
    cost: float


class Learner:
    """Samples of right and of wrong moduli, at least one of each, and conditions that tell them apart."""

    def __init__(self, terms: Sequence[ModulusTerm], right: Iterable[int], wrong: Iterable[int]) -> None:
        self._right, self._wrong = sorted(right), sorted(wrong)
        self._bounded = [term for term in terms if term.ordered]
        self._fixed = list(self._singled_out([term for term in terms if not term.ordered]))

    def best(self, most: int = MOST_ATOMS) -> ModulusCondition | None:
        """The condition of the least cost that all wrong samples violate; None if there is none of so many atoms."""
        whole = _Partial((), (1 << len(self._wrong)) - 1, 0, 0.0)
        kept, done = [whole], list[_Partial]()
        for _ in range(most):
            grown: dict[tuple[int, int], _Partial] = {}
            for partial in kept:
                for longer in self._longer(partial):
                    key = longer.wrong, longer.left_out
                    if key not in grown or longer.cost < grown[key].cost:
                        grown[key] = longer
            done += [partial for partial in grown.values() if not partial.wrong]
            unfinished = (partial for partial in grown.values() if partial.wrong)
            kept = sorted(unfinished, key=self._promise)[:KEPT]
        done = [partial for partial in done if partial.left_out.bit_count() < len(self._right)]
        if not done:
            return None
        best = min(done, key=lambda partial: (partial.cost, [atom.text for atom in partial.atoms]))
        return ModulusCondition(best.atoms, best.left_out.bit_count())

    def _promise(self, partial: _Partial) -> float:
        """Rank of an unfinished condition: its cost, and what the wrong samples that are left may cost."""
        return partial.cost + PRICE / 4 * partial.wrong.bit_count() / len(self._wrong)

    def _longer(self, partial: _Partial) -> Iterator[_Partial]:
        """The condition with one more atom that a wrong sample violates."""
        for found in (*self._fixed, *self._bounds(partial)):
            wrong = partial.wrong & ~found.wrong
            if wrong == partial.wrong or not found.atom.is_condition:
                continue
            left_out = partial.left_out | found.right
            more = (left_out & ~partial.left_out).bit_count() / len(self._right)
            yield _Partial((*partial.atoms, found.atom), wrong, left_out, partial.cost + found.atom.cost + PRICE * more)

    def _singled_out(self, terms: Sequence[ModulusTerm]) -> Iterator[_Violations]:
        """Atoms that ask for a value of a term, or for another one."""
        every_right, every_wrong = (1 << len(self._right)) - 1, (1 << len(self._wrong)) - 1
        for term in terms:
            right, wrong = _by_value(term, self._right), _by_value(term, self._wrong)
            for value in _most_frequent(wrong) if term.bits != 1 else ():
                yield _Violations(ModulusAtom(term, OTHER, value), right.get(value, 0), wrong[value])
            for value in _most_frequent(right):
                atom = ModulusAtom(term, EQUAL, value)
                yield _Violations(atom, every_right & ~right[value], every_wrong & ~wrong.get(value, 0))

    def _bounds(self, partial: _Partial) -> Iterator[_Violations]:
        """Bounds of terms: those that all right samples keep to, and those that all wrong ones that are left break."""
        for term in self._bounded:
            right = [term.value(p) for at, p in enumerate(self._right) if not partial.left_out >> at & 1]
            wrong = [term.value(p) for at, p in enumerate(self._wrong) if partial.wrong >> at & 1]
            if not right:
                continue
            for atom in {*_upper(term, right, wrong), *_lower(term, right, wrong)}:
                yield _Violations(atom, _violating(atom, self._right), _violating(atom, self._wrong))


def _by_value(term: ModulusTerm, samples: Sequence[int]) -> dict[int, int]:
    """The samples, as bits, by the value that the term has for them."""
    found: dict[int, int] = {}
    for at, p in enumerate(samples):
        value = term.value(p)
        found[value] = found.get(value, 0) | 1 << at
    return found


def _most_frequent(found: Mapping[int, int]) -> list[int]:
    """The values that the most samples have, the least of equally frequent ones first."""
    return sorted(found, key=lambda value: (-found[value].bit_count(), value))[:SINGLED_OUT]


def _violating(atom: ModulusAtom, samples: Sequence[int]) -> int:
    return sum(1 << at for at, p in enumerate(samples) if not atom.holds(p))


def _upper(term: ModulusTerm, right: Sequence[int], wrong: Sequence[int]) -> Iterator[ModulusAtom]:
    """Bounds above all right values, and below all wrong ones."""
    if above := [value for value in wrong if value > max(right)]:
        yield ModulusAtom(term, LESS, simplest(max(right), min(above)))
    if below := [value for value in right if value < min(wrong)]:
        bound = ModulusAtom(term, LESS, simplest(max(below), min(wrong)))
        yield bound
        if max(right) > min(wrong):  # wrong products are rare above it, and may be too rare to be seen beside it
            yield rounded(bound)


def _lower(term: ModulusTerm, right: Sequence[int], wrong: Sequence[int]) -> Iterator[ModulusAtom]:
    """Bounds below all right values, and above all wrong ones."""
    if below := [value for value in wrong if value < min(right)]:
        yield ModulusAtom(term, LEAST, simplest(max(below), min(right)))
    if above := [value for value in right if value > max(wrong)]:
        yield ModulusAtom(term, LEAST, simplest(max(wrong), min(above)))
