# SPDX-License-Identifier: Apache-2.0
"""The search for the domain of a core: moduli are tried, a condition is learned, and then moduli that may refute it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from random import Random

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_power_of_two
from limbtrace.rtl_bridge.domain.learn import Condition, Learner
from limbtrace.rtl_bridge.domain.moduli import halved, nearest, spread
from limbtrace.rtl_bridge.domain.terms import LESS, Atom, Term, all_fulfilled, simplest, terms
from limbtrace.rtl_bridge.domain.trials import Trials
from limbtrace.vectors.catalogue.moduli import DEFAULT_RADIX

EXHAUSTED_BITS = 8
"""Up to so many bits, every modulus is tried with all operands if these are few enough."""
EXHAUSTED = {"verilator": 1 << 23, "icarus": 1 << 18}
"""Most products for that."""
WIDEST, WIDER = 4, 2
"""Moduli are tried up to so many times the bits of the one that was asked for: without and with another build."""
ROUNDS = 8
"""Most conditions that are learned one after the other."""
SIDE = 24
"""New moduli on either side of a condition in a round."""
HARDER = 4
"""Times as many products for moduli of which a condition says something else than the trials."""
BORDER_ROUNDS, POINTS = 96, 12
"""Most sessions at a border, and moduli between its ends in each."""
SMALLER_ROUNDS = 24
SMALLEST = 1 << EXHAUSTED_BITS
"""Below it, all moduli are tried to find the smallest that is wrong."""


@dataclass(frozen=True)
class Border:
    """The two moduli between which a bound of the condition lies."""

    condition: str
    right: int
    """The last one that counts as right."""
    wrong: int
    adjacent: bool
    """True if the core takes none between both that fulfils the rest of the condition."""


class Search:
    """The domain of a core. Raises ParameterError, ToolError."""

    def __init__(self, trials: Trials, most: int, seed: int) -> None:
        """`most`: moduli that are tried, but for what the search at a border adds; `seed`: of random moduli."""
        self.trials, self._most, self._random = trials, most, Random(seed)
        self._seed = seed
        self.condition: Condition | None = None
        """The condition that was learned last."""
        self.every = False
        """True if every modulus that the core takes was tried with all operands."""
        self.survived = (0, 0)
        """New moduli that fulfil the condition and that do not, which were tried to refute it, as they came out."""
        self.borders: list[Border] = []

    @cached_property
    def own_widths(self) -> list[int]:
        """Widths, in bits, of which the core takes moduli without another build; none if each takes one."""
        return [bits for bits in range(2, WIDEST * self._asked_bits + 1) if self._has(bits, self.trials.shares_build)]

    @cached_property
    def other_widths(self) -> list[int]:
        """Widths of which the core takes moduli with another build, as far as there are any left."""
        most = self._asked_bits if not self.own_widths else WIDER * self._asked_bits
        own = {*self.own_widths}
        return [bits for bits in range(2, most + 1) if bits not in own and self._has(bits, self.trials.takes)]

    @property
    def widths(self) -> list[int]:
        """All widths of which moduli are tried."""
        return sorted((*self.own_widths, *self.other_widths))

    @property
    def _asked_bits(self) -> int:
        return self.trials.first.bound.multiplier.modulus.bits

    def _has(self, bits: int, takes: Callable[[int], bool]) -> bool:
        ends = (1 << bits) - 1, 1 << (bits - 1) | 1
        some = (*ends, *map(self._nearest, ends))
        asked = self.trials.first.bound.multiplier.modulus.modulus
        return any(p is not None and p != asked and p.bit_length() == bits and self.trials.permitted(p) and takes(p)
                   for p in some)  # fmt: skip

    @cached_property
    def _terms(self) -> list[Term]:
        return terms(self.widths[-1], self._words)

    @property
    def _words(self) -> list[int]:
        bound = self.trials.first.bound
        return [width for width in (bound.multiplier.params.radix_bits, *bound.limbs) if width]

    def run(self) -> None:
        """Search until a condition survives, or there is none."""
        if not self.trials.carries:
            name = self.trials.first.bound.core.file.name
            raise ParameterError("core", f"{name} is not given its modulus, by a port or a parameter, and has one alone")
        if self._try_every():
            self.every = True
            self._learn()
            return
        self.trials.try_all(self._first_moduli())
        if not self.trials.wrong:
            self.trials.try_all(self._hardest(), harder=HARDER)
        self._refute()
        self._go_smaller()

    def _try_every(self) -> bool:
        """Try all moduli with all operands, if these are few."""
        bits = self.widths[-1]
        if bits > EXHAUSTED_BITS:
            return False
        taken = [p for p in range(2, 1 << bits) if self.trials.permitted(p) and self.trials.takes(p)]
        products = sum(map(self.trials.pairs, taken))
        if not all(map(self.trials.shares_build, taken)) or products > EXHAUSTED[self.trials.first.job.simulator]:
            return False
        self.trials.try_all(taken, every=True)
        return True

    def _first_moduli(self) -> list[int]:
        """Moduli that are tried before anything is known: of other builds half of those that there may be."""
        trials, asked = self.trials, self.trials.first.bound.multiplier.modulus.modulus
        word = trials.first.bound.multiplier.params.radix_bits or parse_power_of_two(DEFAULT_RADIX)
        if not self.own_widths:
            some = spread(self.other_widths, min(word, self.other_widths[-1]), self._seed) if self.other_widths else []
            return [asked, *islice((p for p in self._taken(some) if p != asked), trials.builds // 2)]
        some = spread(self.own_widths, min(word, self.own_widths[-1]), self._seed)
        own = islice((p for p in self._taken(some) if trials.shares_build(p)), self._most // 2)
        return [asked, *own, *self._of_other_widths(trials.builds // 2)]

    def _of_other_widths(self, builds: int) -> Iterator[int]:
        """A few moduli of each of so many widths that take other builds."""
        widths = [*dict.fromkeys(halved(self.other_widths))] if self.other_widths else []
        for bits in widths[:builds]:
            ends = (1 << bits) - 1, 1 << (bits - 1) | 1, 3 << (bits - 2), 5 << (bits - 3) if bits > 2 else 3
            yield from (p for p in self._taken(ends) if p.bit_length() == bits)

    def _taken(self, some: Iterable[int]) -> Iterator[int]:
        """For each number the nearest modulus that the core takes, none twice."""
        seen = set[int]()
        for p in some:
            if (found := self._nearest(p)) is not None and found not in seen:
                seen.add(found)
                yield found

    def _nearest(self, p: int) -> int | None:
        return nearest(p, self.trials.takes, self.trials.permitted) if p > 1 else None

    def _hardest(self) -> list[int]:
        """Moduli that are tried harder where none is wrong: those of the widest and of the narrowest."""
        right = self.trials.right
        return [*right[-2 * SIDE :], *right[: SIDE // 2]]

    def _learn(self) -> None:
        right, wrong = self.trials.right, self.trials.wrong
        self.condition = Learner(self._terms, right, wrong).best() if right and wrong else None

    def _refute(self) -> None:
        """Learn a condition and try to refute it, until nothing changes."""
        for _ in range(ROUNDS):
            self._learn()
            if self.condition is None:
                return
            self.borders = list(self._bordered(self.condition))
            self._learn()
            if self.condition is None:
                return
            said = self.condition.texts
            sides = list(self._side(self.condition, fulfilled=True)), list(self._side(self.condition, fulfilled=False))
            self.trials.try_all(sides[0][: SIDE // 2], harder=2)
            self.trials.try_all([*sides[0], *sides[1]])
            self.trials.try_all(self._suspects(self.condition), harder=HARDER)
            self.survived = len(sides[0]), sum(not self.trials.outcomes[p].right for p in sides[1])
            self._learn()
            if self.condition is None or (self.condition.texts == said and not self._contradicted(sides[0])):
                return

    def _contradicted(self, fulfilling: Iterable[int]) -> bool:
        return any(not self.trials.outcomes[p].right for p in fulfilling if p in self.trials.outcomes)

    def _suspects(self, condition: Condition) -> list[int]:
        """Moduli without a wrong product that do not fulfil the condition."""
        return [p for p in self.trials.right if not condition.holds(p)][:SIDE]

    def _side(self, condition: Condition, *, fulfilled: bool) -> Iterator[int]:
        """New moduli that fulfil a condition, or violate one atom of it."""
        found = 0
        for number in range(16 * SIDE):
            like = self._like(number)
            broken = None if fulfilled else condition.atoms[number % len(condition.atoms)]
            for atom in (*condition.atoms, *condition.atoms[:1]):  # the first one once more: another may have undone it
                other = atom.near(like, self._random, fulfilled=atom is not broken)
                like = like if other is None or atom.holds(like) == (atom is not broken) and number % 2 else other
            p = self._nearest(like)
            if p is None or p in self.trials.outcomes or condition.holds(p) != fulfilled:
                continue
            yield p
            found += 1
            if found == SIDE:
                return

    def _like(self, number: int) -> int:
        """A random number of one of the widths, of the widest in every second place."""
        bits = self.widths[-1] if number % 2 else self._random.choice(self.widths)
        return self._random.getrandbits(bits) | 1 << (bits - 1) | (self._random.randrange(4) > 0)

    def _bordered(self, condition: Condition) -> Iterator[Border]:
        """Each bound of a condition, between moduli that are as close as can be."""
        for atom in condition.atoms:
            if atom.term.ordered:
                border = self._border(atom, [other for other in condition.atoms if other is not atom])
                if border is not None:
                    yield border

    def _border(self, atom: Atom, others: list[Atom]) -> Border | None:
        """The right and the wrong modulus on the two sides of a bound, found by bisection."""
        adjacent = False
        for _ in range(BORDER_ROUNDS):
            ends = self._ends(atom, others)
            if ends is None:
                return None
            between = list(self._between(atom, others, *ends))
            if not between:
                adjacent = True
                tried = self.trials.outcomes[ends[0]].products
                self.trials.try_all([ends[0]], harder=2 * HARDER)
                if self.trials.outcomes[ends[0]].right or tried == self.trials.outcomes[ends[0]].products:
                    break
                continue
            self.trials.try_all(between)
            if all(p not in self.trials.outcomes for p in between):  # no build is left
                break
        ends = self._ends(atom, others)
        return None if ends is None else Border(atom.text, *ends, adjacent=adjacent)

    def _ends(self, atom: Atom, others: list[Atom]) -> tuple[int, int] | None:
        """The last right modulus before the first wrong one, among those that fulfil the others; and that one."""
        value, up = atom.term.value, atom.relation == LESS
        sign = 1 if up else -1
        wrong = [p for p in self.trials.wrong if all_fulfilled(others, p)]
        if not wrong:
            return None
        first = min(wrong, key=lambda p: (sign * value(p), p))
        right = [p for p in self.trials.right if all_fulfilled(others, p) and sign * value(p) < sign * value(first)]
        return (max(right, key=lambda p: (sign * value(p), p)), first) if right else None

    def _between(self, atom: Atom, others: list[Atom], right: int, wrong: int) -> Iterator[int]:
        """Moduli that were not tried, between the ends of a border."""
        low, high = sorted((atom.term.value(right), atom.term.value(wrong)))
        simple = simplest(low, high)
        gap = high - low
        values = [simple - 1, simple, *(low + gap * k // (POINTS + 1) for k in range(1, POINTS + 1))]
        values += [end for j in range(0, gap.bit_length(), max(gap.bit_length() // 4, 1))
                   for end in (low + (1 << j), high - (1 << j))]  # fmt: skip
        seen = set[int]()
        for value in values:
            made = atom.term.with_value and atom.term.with_value(value, wrong)
            for p in self._permitted_near(made or 0, atom, others, low, high):
                if p not in seen and p not in self.trials.outcomes:
                    seen.add(p)
                    yield p

    def _permitted_near(self, p: int, atom: Atom, others: list[Atom], low: int, high: int) -> Iterator[int]:
        """The nearest modulus to a number within a border, if there is one."""

        def fits(other: int) -> bool:
            return low < atom.term.value(other) < high and all_fulfilled(others, other) and self.trials.permitted(other)

        if p > 1 and (found := nearest(p, self.trials.takes, fits)) is not None:
            yield found

    def _go_smaller(self) -> None:
        """Look for smaller wrong moduli."""
        for _ in range(SMALLER_ROUNDS):
            if not self.trials.wrong:
                return
            least = self.trials.wrong[0]
            if least < SMALLEST:
                break
            some = [p for p in self._taken(self._smaller(least)) if p < least and p not in self.trials.outcomes]
            self.trials.try_all(some)
            if self.trials.wrong[0] == least:
                break
        least = self.trials.wrong[0]
        if least < SMALLEST:
            below = [p for p in range(2, least) if self.trials.permitted(p) and self.trials.takes(p)]
            if sum(map(self.trials.pairs, below)) <= EXHAUSTED[self.trials.first.job.simulator] // 8:
                self.trials.try_all(below, every=True)
        self._learn()

    def _smaller(self, least: int) -> Iterator[int]:
        """Numbers below a wrong modulus that resemble it, and such that violate the condition."""
        bits = least.bit_length()
        top = 1 << (bits - 1)
        yield from (least >> shift for shift in range(1, bits - 1, max(bits // 16, 1)))
        yield from (least & ((1 << shift) - 1) for shift in range(2, bits, max(bits // 16, 1)))
        yield from (top | least & ((1 << shift) - 1) for shift in range(0, bits - 1, max(bits // 16, 1)))
        set_bits = [index for index in range(bits) if least >> index & 1]
        yield from (least ^ 1 << index for index in set_bits[-POINTS:] + set_bits[: 2 * POINTS])
        yield from (least - step for step in (1, 2, 3, 4, 6))
        if self.condition is not None:
            for width in self.widths[:: max(len(self.widths) // 16, 1)]:
                for atom in self.condition.atoms:
                    like = 1 << (width - 1) | 1
                    yield atom.near(like, self._random, fulfilled=False) or like

    @property
    def smallest_is_known(self) -> bool:
        """True if every smaller modulus that the core takes was tried with all operands."""
        least = self.trials.wrong[0]
        return least < SMALLEST and all(
            p in self.trials.outcomes and self.trials.outcomes[p].exhausted
            for p in range(2, least)
            if self.trials.permitted(p) and self.trials.takes(p)
        )
