# SPDX-License-Identifier: Apache-2.0
"""Words as bits of one graph, in which what is made alike is one bit.

A bit is a literal: a node of the graph, negative for its inverse; TRUE and FALSE are +1 and -1. Nodes are variables,
conjunctions, choices, bits of sums, and bits of products, quotients and remainders. Bit k of a sum is kept as the sum
modulo 2^(k+1) without the terms that carry nothing into it, so that equal sums are mostly one bit, whatever they were
cut from. A word is a tuple of bits, the lowest one first.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

BitWord = tuple[int, ...]
Form = dict[int, int]
"""Nodes with the factors that they are added with."""
TRUE, FALSE = 1, -1
MANY = 16
"""Bits of a conjunction that stays one in a larger one."""


def constant(value: int, width: int) -> BitWord:
    """The low bits of a number."""
    return tuple(TRUE if value >> k & 1 else FALSE for k in range(width))


def inverse(x: BitWord) -> BitWord:
    """~x"""
    return tuple(-bit for bit in x)


class Logic:
    """A graph of bits."""

    def __init__(self) -> None:
        self.nodes: list[tuple[Any, ...]] = [(), ("true",)]
        """(kind, ...) of each node; the first one is not used."""
        self._made: dict[tuple[Any, ...], int] = {}
        self._pairs: dict[tuple[int, int], int] = {}
        """Conjunctions of two bits."""
        self._sums: dict[tuple[Any, ...], BitWord] = {}
        self._lower: dict[int, BitWord] = {}
        """A bit of a sum -> the bits of the same sum up to it."""
        self.groups: dict[int, tuple[BitWord, int]] = {}
        """The highest bit of a variable or product -> (all its bits, its largest value)."""

    def _node(self, *key: Any) -> int:
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = len(self.nodes)
            self.nodes.append(key)
        return found

    def variable(self, name: str, width: int, most: int) -> BitWord:
        """The bits of a variable, whose value is at most `most`."""
        bits = tuple(self._node("var", name, k) for k in range(width))
        self.groups[bits[-1]] = bits, most
        return bits

    def all_of(self, bits: Iterable[int]) -> int:
        """1 if all of these are."""
        flat = set[int]()
        for bit in bits:
            inner = self.nodes[bit] if bit > 0 else ()
            flat |= inner[1] if inner and inner[0] == "and" and len(inner[1]) < MANY else {bit}
        flat.discard(TRUE)
        if FALSE in flat or any(-bit in flat for bit in flat):
            return FALSE
        if len(flat) < 2:
            return flat.pop() if flat else TRUE
        pairs = [self.nodes[-bit][1] for bit in flat if bit < 0 and self.nodes[-bit][0] == "and"]
        three = frozenset[int]().union(*pairs)
        if len(flat) == len(pairs) == len(three) == 3 and all(len(pair) == 2 for pair in pairs):
            return -self.sum_of([((bit,), 1) for bit in three], 0, 2)[1]  # the carry of three bits, inverted
        return self._node("and", frozenset(flat))

    def both(self, x: int, y: int) -> int:
        """x & y"""
        found = self._pairs.get((x, y))
        if found is None:
            found = self._pairs[x, y] = self.all_of((x, y))
        return found

    def either(self, x: int, y: int) -> int:
        """x | y"""
        return -self.both(-x, -y)

    def unlike(self, x: int, y: int) -> int:
        """x ^ y"""
        return self.sum_of([((x,), 1), ((y,), 1)], 0, 1)[0]

    def choice(self, c: int, x: int, y: int) -> int:
        """c ? x : y"""
        if x == y:
            return x
        if c < 0:
            c, x, y = -c, y, x
        if c == TRUE:
            return x
        if y == FALSE:
            return self.both(c, x)
        if x == FALSE:
            return self.both(-c, y)
        if x in (c, -c):
            x = TRUE if x == c else FALSE
        if y in (c, -c):
            y = FALSE if y == c else TRUE
        for branch, place in ((x, 2), (y, 3)):  # what is chosen by the same bit again
            inner = self.nodes[abs(branch)]
            if inner[0] == "ite" and inner[1] == c:
                chosen = inner[place] if branch > 0 else -inner[place]
                return self.choice(c, *((chosen, y) if place == 2 else (x, chosen)))
        if x == y:
            return x
        if abs(x) == TRUE:
            return self.either(c, y) if x > 0 else self.both(-c, y)
        if abs(y) == TRUE:
            return self.either(-c, x) if y > 0 else self.both(c, x)
        if x == -y:
            return self.unlike(c, y)
        return -self._node("ite", c, -x, -y) if x < 0 else self._node("ite", c, x, y)

    def choices(self, c: int, x: BitWord, y: BitWord) -> BitWord:
        """c ? x : y, of words."""
        if abs(c) == TRUE:
            return x if c > 0 else y
        return tuple(self.choice(c, one, other) for one, other in zip(x, y, strict=True))

    def same(self, x: BitWord, y: BitWord) -> int:
        """x == y"""
        return self.all_of(-self.unlike(one, other) for one, other in zip(x, y, strict=True))

    def less(self, x: BitWord, y: BitWord) -> int:
        """x < y, unsigned: the sign of x - y."""
        return self.sum_of([(x, 1), (y, -1)], 0, max(len(x), len(y)) + 1)[-1]

    def sum_of(self, parts: Iterable[tuple[Sequence[int], int]], plus: int, width: int) -> BitWord:
        """The sum of words times factors and a number, modulo 2^width."""
        form: Form = {}
        for word, factor in parts:
            for k, bit in enumerate(word):
                plus += _put(form, bit, factor << k)
        key = frozenset(form.items()), plus, width
        if key not in self._sums:
            self._sums[key] = tuple(self._sum_bit(form, plus, k) for k in range(width))
        return self._sums[key]

    def product(self, x: BitWord, y: BitWord, width: int) -> BitWord:
        """x * y modulo 2^width."""
        (x, low), (y, more) = _trimmed(x), _trimmed(y)
        for one, other in ((x, y), (y, x)):
            if all(abs(bit) == TRUE for bit in one):
                value = sum(1 << k for k, bit in enumerate(one) if bit == TRUE) << low + more
                return self.sum_of([(other, value)], 0, width)
        if len(x) == 1 or len(y) == 1:
            inner = tuple(self.both(one, other) for one in x for other in y)
        else:
            x, y = sorted((x, y))
            inner = tuple(self._product_bit(x[: k + 1], y[: k + 1], k) for k in range(len(x) + len(y)))
            most = self.most(x) * self.most(y)
            inner = inner[: most.bit_length()]
            self.groups[inner[-1]] = inner, most
        return (constant(0, low + more) + inner + constant(0, width))[:width]

    def most(self, x: BitWord) -> int:
        """The largest value of a word, as far as it is known."""
        form: Form = {}
        plus = sum(_put(form, bit, 1 << k) for k, bit in enumerate(x))
        return self.span(form, plus)[1]

    def _product_bit(self, x: BitWord, y: BitWord, k: int) -> int:
        return self.both(x[0], y[0]) if k == 0 else self._node("mul", k, *sorted((x, y)))

    def division(self, x: BitWord, y: BitWord, *, rest: bool) -> BitWord:
        """x / y, or the rest of it; all ones, or x, where y is 0."""
        return tuple(self._node("rem" if rest else "div", k, x, y) for k in range(len(x)))

    def span(self, form: Form, plus: int) -> tuple[int, int]:
        """The least and the largest value of a sum, from the largest values of variables and products in it."""
        left = dict(form)
        least = most = plus
        for top in sorted(form, reverse=True):
            bits, limit = self.groups.get(top, ((), 0))
            factor, rest = divmod(form[top], 1 << max(len(bits) - 1, 0))
            if bits and not rest and all(left.get(bit) == factor << k for k, bit in enumerate(bits)):
                for bit in bits:
                    del left[bit]
                least, most = least + min(factor * limit, 0), most + max(factor * limit, 0)
        for factor in left.values():
            least, most = least + min(factor, 0), most + max(factor, 0)
        return least, most

    def _sum_bit(self, form: Form, plus: int, k: int) -> int:
        """Bit k of a sum."""
        form, plus = self._flat(_reduced(form, k), plus, k)
        least, most = self.span(form, plus)
        if least >> k == most >> k:
            return TRUE if least >> k & 1 else FALSE
        above = sorted(form, key=lambda node: (form[node] & -form[node], node))
        shift = done = least = most = 0
        bounded = False
        for count, node in enumerate(above):  # terms that carry nothing into what is above them count for nothing
            low = (form[node] & -form[node]).bit_length() - 1
            if low > shift:
                rest = plus & (1 << low) - 1
                ends = (least + rest, most + rest)
                if bounded and (ends[0] < 0 or ends[1] >> low):
                    ends = self.span({each: form[each] for each in above[:count]}, rest)
                if ends[0] >= 0 and not ends[1] >> low:
                    shift, done = low, count
            least, most = least + min(form[node], 0), most + max(form[node], 0)
            bits, limit = self.groups.get(node, ((), 0))
            bounded |= limit < (1 << len(bits)) - 1
        form = {node: form[node] >> shift for node in above[done:]}
        plus, k = plus >> shift, k - shift
        full = (1 << k + 1) - 1
        plus &= full
        if k == 0:
            (only, *others) = form
            node = self._node("sum", 0, 0, tuple((each, 1) for each in sorted(form))) if others else only
            return -node if plus else node
        if k == 1 and len(form) == 2 and 2 not in form.values():
            return self._carry(form, plus)
        sign = next((form[node] for node in sorted(form) if form[node] != 1 << k), 1)
        if sign < 0:  # ~x is -1 - x: of both, one is kept
            form = {node: factor if factor == 1 << k else -factor for node, factor in form.items()}
            plus = -1 - plus & full
        node = self._node("sum", k, plus, tuple(sorted(form.items())))
        return -node if sign < 0 else node

    def _carry(self, form: Form, plus: int) -> int:
        """Bit 1 of the sum of two bits, inverted or not, and a number."""
        bits = [node * factor for node, factor in form.items()]
        number = plus - sum(bit < 0 for bit in bits) & 3
        carry = self.either(*bits) if number & 1 else self.both(*bits)
        return -carry if number & 2 else carry

    def as_sum(self, node: int) -> tuple[int, int, Form] | None:
        """(k, number, terms) if a node is bit k of a sum; else None."""
        kind, *rest = self.nodes[node]
        if kind == "sum":
            return rest[0], rest[1], dict(rest[2])
        if kind == "and" and len(rest[0]) == 2:
            form: Form = {}
            plus = sum(_put(form, bit, 1) for bit in rest[0])
            return 1, plus, form
        return None

    def _flat(self, form: Form, plus: int, k: int) -> tuple[Form, int]:
        """The sum with sums in place of their bits, where all bits of these that count are there."""
        waiting = sorted(form, reverse=True)
        while waiting:
            top = waiting.pop(0)
            inner = self.as_sum(top) if top in form else None
            if inner is None:
                continue
            place, number, terms = inner
            factor, rest = divmod(form[top], 1 << place)
            ends = form[top] == 1 << k
            if rest or not (ends or self._is_whole(terms, number, place)):
                continue
            trial, more, lower = dict(form), 0, self._bits_to(top, place, number, terms)
            for j in range(place + 1):
                bit = lower[j]
                if bit == TRUE or (bit < 0 and bit != FALSE):
                    more -= factor << j
                if abs(bit) != TRUE and trial.pop(abs(bit), 0) != _signed((factor << j) * (1 if bit > 0 else -1), k):
                    break
            else:
                for node, each in terms.items():
                    trial[node] = trial.get(node, 0) + each * factor
                form, plus = _reduced(trial, k), plus + more + number * factor
                waiting = sorted(form, reverse=True)
        return form, plus

    def below(self, node: int) -> Sequence[int]:
        """The bits that a node is made of."""
        kind, *rest = self.nodes[node]
        if kind in ("true", "var"):
            return ()
        if kind in ("and", "sum"):
            return sorted(rest[0]) if kind == "and" else [each for each, _ in rest[2]]
        return rest if kind == "ite" else [*rest[1], *rest[2]]

    def again(self, node: int, other: Callable[[int], int]) -> int:
        """A node made of other bits in the places of its own."""
        kind, *rest = self.nodes[node]
        if kind == "and":
            return self.all_of(map(other, rest[0]))
        if kind == "ite":
            c, one, two = map(other, rest)
            return self.choice(c, one, two)
        if kind == "sum":
            return self.sum_of([((other(each),), factor) for each, factor in rest[2]], rest[1], rest[0] + 1)[-1]
        if kind in ("true", "var"):
            return node
        k: int = rest[0]
        x, y = (tuple(map(other, word)) for word in rest[1:])
        if kind == "mul":
            return self.product(x, y, k + 1)[-1]
        return self.division(x, y, rest=kind == "rem")[k]

    def _bits_to(self, top: int, place: int, plus: int, form: Form) -> BitWord:
        """The bits of a sum up to one of them."""
        if top not in self._lower:
            below: BitWord = ()
            if place:
                last = self._sum_bit(form, plus, place - 1)
                inner = self.as_sum(abs(last))
                if inner is not None and inner[0] == place - 1 and self.nodes[abs(last)][0] == "sum":
                    below = self._bits_to(abs(last), *inner)
                    below = below if last > 0 else inverse(below)
                else:
                    below = (*(self._sum_bit(form, plus, j) for j in range(place - 1)), last)
            self._lower[top] = (*below, top)
        return self._lower[top]

    def _is_whole(self, form: Form, plus: int, k: int) -> bool:
        least, most = self.span(form, plus)
        return least >= 0 and most < 2 << k


def _put(form: Form, bit: int, factor: int) -> int:
    """Adds a bit times a factor to a sum; returns what that adds to its number."""
    if abs(bit) == TRUE:
        return factor if bit > 0 else 0
    node = abs(bit)
    form[node] = form.get(node, 0) + (factor if bit > 0 else -factor)
    return 0 if bit > 0 else factor


def _signed(factor: int, k: int) -> int:
    """A factor modulo 2^(k+1), from -2^k + 1 to 2^k."""
    half = 1 << k
    return (factor + half - 1) % (2 * half) - half + 1


def _reduced(form: Form, k: int) -> Form:
    pairs = ((node, _signed(factor, k)) for node, factor in form.items())
    return {node: factor for node, factor in pairs if factor}


def _trimmed(x: BitWord) -> tuple[BitWord, int]:
    """A word without zeros at both ends, at least one bit of it, and how many were below."""
    low, high = 0, len(x)
    while high > 1 and x[high - 1] == FALSE:
        high -= 1
    while low < high - 1 and x[low] == FALSE:
        low += 1
    return x[low:high], low
