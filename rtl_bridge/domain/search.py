# SPDX-License-Identifier: Apache-2.0
"""The search for the domain of a core: moduli are tried, a condition is learned, and then moduli that may refute it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from random import Random

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_power_of_two
from limbtrace.rtl_bridge.domain.learn import Learner, ModulusCondition
from limbtrace.rtl_bridge.domain.moduli import few, halved, nearest, spread
from limbtrace.rtl_bridge.domain.terms import LESS, ModulusAtom, ModulusTerm, all_fulfilled, simplest, terms
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
MOST_BETWEEN = 256
"""Values between the ends of a border of which all moduli are looked at."""
SMALLER_ROUNDS, SETTLED = 24, 3
MOST_OTHERS, FEW, MOST = 2, 0.05, 0.75
"""Most conditions beside the first one. Parts of the right moduli: if more than FEW are left out, there may be another
condition; if more than MOST are, there is none."""
SUSPECTS = 4 * SIDE
"""Most moduli of a round that do not fulfil the condition and are tried harder, since no product was wrong."""
SMALLEST = 1 << EXHAUSTED_BITS
"""Below it, all moduli are tried to find the smallest that is wrong."""


@dataclass(frozen=True)
class Border:
    """The two moduli between which a bound of the condition lies."""

    atom: ModulusAtom
    """The bound, as it was before the border was known so well."""
    right: int
    """The last one that counts as right."""
    wrong: int
    adjacent: bool
    """True if the core takes none between both that fulfils the rest of the condition."""


class Search:
    """The domain of a core. Raises ParameterError, ToolError."""

    def __init__(self, trials: Trials, most: int, seed: int) -> None:
        """`most`: moduli that are tried, but for what the search at a border adds; `seed`: of random moduli."""
        self.trials, self.seed = trials, seed
        self._most, self._random = most, Random(seed)
        self.condition: ModulusCondition | None = None
        """The condition that was learned last."""
        self.every = False
        """True if every modulus that the core takes was tried with all operands."""
        self.others: list[ModulusCondition] = []
        """Conditions of right moduli that the first one leaves out, and that no wrong one fulfils."""
        self.refuting = (0, 0, 0)
        """New moduli that were tried to refute the condition: right ones that fulfil it, others, and the wrong ones of
        these."""
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
    def _terms(self) -> list[ModulusTerm]:
        return terms(self.widths[-1], self._words)

    @property
    def _words(self) -> list[int]:
        bound = self.trials.first.bound
        return [width for width in (bound.multiplier.params.radix_bits, *bound.limbs) if width]

    def run(self) -> None:
        """Search until a condition survives, or there is none."""
        if not self.trials.carries:
            name = self.trials.first.bound.core.file.name
            raise ParameterError(
                "core", f"no modulus was found that {name} is given by a port or a parameter, beside the one asked for"
            )
        if self._try_every():
            self.every = True
            self._finish()
            return
        self.trials.try_all(self._first_moduli(self.trials.builds // 2))
        if not self.trials.wrong:
            self.trials.try_all(self._first_moduli(self.trials.builds))
            self.trials.try_all(self._hardest(), harder=HARDER)
        self.settle()

    def settle(self) -> None:
        """From what was tried to a condition that nothing refutes that is tried then."""
        for _ in range(SETTLED):
            self._refute()
            said = self.condition and self.condition.texts
            self._go_smaller()
            self._learn()
            if said == (self.condition and self.condition.texts):
                break
        else:
            self.refuting = (0, 0, 0)
        self._finish()

    @property
    def bounds(self) -> list[tuple[ModulusAtom, Border]]:
        """The bounds of the condition whose borders were searched."""
        found = {(border.atom.term.text, border.atom.relation): border for border in self.borders}
        atoms = () if self.condition is None else self.condition.atoms
        return [(atom, found[key]) for atom in atoms if (key := (atom.term.text, atom.relation)) in found]

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

    def _first_moduli(self, builds: int) -> list[int]:
        """Moduli that are tried before anything is known, with so many other builds."""
        trials, asked = self.trials, self.trials.first.bound.multiplier.modulus.modulus
        word = trials.first.bound.multiplier.params.radix_bits or parse_power_of_two(DEFAULT_RADIX)
        if not self.own_widths:
            some = few(self.other_widths, min(word, self.other_widths[-1]), self.seed) if self.other_widths else []
            return [asked, *islice((p for p in self._taken(some) if p != asked), builds)]
        some = spread(self.own_widths, min(word, self.own_widths[-1]), self.seed)
        own = islice((p for p in self._taken(some) if trials.shares_build(p)), self._most // 2)
        return [asked, *own, *self._of_other_widths(builds)]

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

    def _finish(self) -> None:
        """Learn from all that was tried, and say as many conditions as it takes for most of the right moduli."""
        self._learn()
        self.others = []
        while self.condition is not None and len(self.others) < MOST_OTHERS and self._leaves_out(FEW):
            other = self._another()
            if other is None:
                break
            self.others.append(other)
        if self._leaves_out(MOST):
            self.condition, self.others = None, []

    def _leaves_out(self, part: float) -> bool:
        """True if no condition speaks for more than that part of the right moduli."""
        return len(self.left_out) > part * len(self.trials.right)

    def _another(self) -> ModulusCondition | None:
        """A condition of moduli for which none speaks so far; None if there is none that new moduli do not refute."""
        for _ in range(SETTLED):
            other = Learner(self._terms, self.left_out, self.trials.wrong).best(1)
            if other is None or 2 * other.left_out > len(self.left_out):
                return None
            new = [p for p in self._new(other, fulfilled=True) if not self._is_said(p)]
            self.trials.try_all(new, harder=HARDER)
            came = [self.trials.outcomes[p].right for p in new if p in self.trials.outcomes]
            if all(came):
                return other if came else None
        return None

    def _is_said(self, p: int) -> bool:
        said = [condition for condition in (self.condition, *self.others) if condition is not None]
        return any(condition.holds(p) for condition in said)

    @property
    def left_out(self) -> list[int]:
        """Moduli without a wrong product for which no condition speaks."""
        return [p for p in self.trials.right if self.condition is not None and not self._is_said(p)]

    def _refute(self) -> None:
        """Learn a condition and try to refute it, until nothing changes."""
        for _ in range(ROUNDS):
            self.refuting, self.borders = (0, 0, 0), []
            self._learn()
            if self.condition is None:
                return
            self.borders = list(self._bordered(self.condition))
            self._learn()
            if self.condition is None:
                return
            said = self.condition.texts
            fulfilling, others = (self._new(self.condition, fulfilled=side) for side in (True, False))
            self.trials.try_all(fulfilling[: SIDE // 2], harder=2)
            self.trials.try_all([*fulfilling, *others])
            self.trials.try_all(self._suspects(self.condition), harder=HARDER)
            came = [[p for p in side if p in self.trials.outcomes] for side in (fulfilling, others)]
            refuted = any(not self.trials.outcomes[p].right for p in came[0])
            self._learn()
            if self.condition is None or not any(came):
                return
            if self.condition.texts == said and not refuted:
                self.refuting = len(came[0]), len(came[1]), sum(not self.trials.outcomes[p].right for p in came[1])
                return

    def _new(self, condition: ModulusCondition, *, fulfilled: bool) -> list[int]:
        """New moduli on a side of a condition; if each takes a build, so few that some are left for the next round."""
        left = self.trials.builds - self.trials.built
        return list(islice(self._side(condition, fulfilled=fulfilled), SIDE if self.own_widths else max(left // 4, 1)))

    def _suspects(self, condition: ModulusCondition) -> list[int]:
        """Moduli without a wrong product that do not fulfil the condition."""
        some = [p for p in self.trials.right if not condition.holds(p)]
        return self._random.sample(some, min(len(some), SUSPECTS))

    def _side(self, condition: ModulusCondition, *, fulfilled: bool) -> Iterator[int]:
        """New moduli that fulfil a condition, or violate one atom of it."""
        found = 0
        for number in range(16 * SIDE):
            like = self._like(number)
            broken = None if fulfilled else condition.atoms[number % len(condition.atoms)]
            for atom in (*condition.atoms, *condition.atoms[:1]):  # the first one once more: another may have undone it
                other = atom.near(like, self._random, fulfilled=atom is not broken)
                like = like if other is None or (number % 2 and atom.holds(like) == (atom is not broken)) else other
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

    def _bordered(self, condition: ModulusCondition) -> Iterator[Border]:
        """Each bound of a condition, between moduli that are as close as can be."""
        for atom in condition.atoms:
            if atom.term.ordered:
                border = self._border(atom, [other for other in condition.atoms if other is not atom])
                if border is not None:
                    yield border

    def _border(self, atom: ModulusAtom, others: list[ModulusAtom]) -> Border | None:
        """The right and the wrong modulus on the two sides of a bound, found by bisection."""
        adjacent = False
        for _ in range(BORDER_ROUNDS):
            ends = self._ends(atom, others)
            if ends is None:
                return None
            between = list(self._between(atom, others, *ends))
            if not between:
                adjacent = self._are_adjacent(atom, others, *ends)
                tried = self.trials.outcomes[ends[0]].products
                self.trials.try_all([ends[0]], harder=2 * HARDER)
                if self.trials.outcomes[ends[0]].right or tried == self.trials.outcomes[ends[0]].products:
                    break
                continue
            self.trials.try_all(between)
            if all(p not in self.trials.outcomes for p in between):  # no build is left
                break
        ends = self._ends(atom, others)
        return None if ends is None else Border(atom, *ends, adjacent=adjacent)

    def _are_adjacent(self, atom: ModulusAtom, others: list[ModulusAtom], right: int, wrong: int) -> bool:
        """True if the core has no modulus between the ends of a border; False if there may be one, too."""
        low, high = sorted((atom.term.value(right), atom.term.value(wrong)))
        if atom.term.with_value is None or high - low > MOST_BETWEEN:
            return high - low == 1
        between = {
            made
            for value in range(low + 1, high)
            for bits in self.widths
            if atom.term.value(made := atom.term.with_value(value, 1 << bits - 1)) == value
        }
        return not any(all_fulfilled(others, p) and self.trials.has(p) for p in between)

    def _ends(self, atom: ModulusAtom, others: list[ModulusAtom]) -> tuple[int, int] | None:
        """The last right modulus before the first wrong one, among those that fulfil the others; and that one."""
        value, up = atom.term.value, atom.relation == LESS
        sign = 1 if up else -1
        wrong = [p for p in self.trials.wrong if all_fulfilled(others, p)]
        if not wrong:
            return None
        first = min(wrong, key=lambda p: (sign * value(p), p))
        right = [p for p in self.trials.right if all_fulfilled(others, p) and sign * value(p) < sign * value(first)]
        return (max(right, key=lambda p: (sign * value(p), p)), first) if right else None

    def _between(self, atom: ModulusAtom, others: list[ModulusAtom], right: int, wrong: int) -> Iterator[int]:
        """Moduli that were not tried, between the ends of a border."""
        low, high = sorted((atom.term.value(right), atom.term.value(wrong)))
        simple = simplest(low, high)
        gap = high - low
        values = [simple - 1, simple]
        if not self.own_widths:  # each takes a build
            least, most = low.bit_length(), high.bit_length()
            values = [1 << (least + most) // 2] if most > least + 1 else [simplest(low + gap // 4, high - gap // 4)]
        else:
            values += [low + gap * k // (POINTS + 1) for k in range(1, POINTS + 1)]
            values += [end for j in range(0, gap.bit_length(), max(gap.bit_length() // 4, 1))
                       for end in (low + (1 << j), high - (1 << j))]  # fmt: skip
        seen = set[int]()
        for value in values:
            made = atom.term.with_value and atom.term.with_value(value, wrong)
            for p in self._permitted_near(made or 0, atom, others, low, high):
                if p not in seen and p not in self.trials.outcomes:
                    seen.add(p)
                    yield p

    def _permitted_near(
        self, p: int, atom: ModulusAtom, others: list[ModulusAtom], low: int, high: int
    ) -> Iterator[int]:
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
        if not self.trials.wrong:
            return False
        least = self.trials.wrong[0]
        return least < SMALLEST and all(
            p in self.trials.outcomes and self.trials.outcomes[p].exhausted
            for p in range(2, least)
            if self.trials.has(p)
        )
