# SPDX-License-Identifier: Apache-2.0
"""Questions about bits as clauses, and refutations of them.

Sources: G. S. Tseitin, "On the complexity of derivation in propositional calculus", 1968, for the clauses of a gate;
L. Cruz-Filipe et al., "Efficient certified RAT verification", CADE 2017, for refutations with hints (LRAT), of which
only steps by unit propagation (RUP) are taken here.
"""

from collections.abc import Iterable, Mapping, Sequence

from limbtrace.rtl_bridge.check_proof.logic import TRUE, BitWord, Logic

Literals = tuple[int, ...]
Facts = Mapping[int, Sequence[tuple[int, int]]]
"""Node of a variable -> pairs of bits that are equal."""


class Question:
    """A question whether two words can differ, as clauses over numbers from 1 on, of which the first one is true."""

    def __init__(self, logic: Logic, x: BitWord, y: BitWord, facts: Facts, depth: int) -> None:
        """`facts` are followed so many times, from variables that are there to what they are equal to."""
        self._logic = logic
        self.clauses: list[Literals] = [(1,)]
        self._size = 1
        self._gates: dict[tuple[str, tuple[int, ...]], int] = {}
        self._known: dict[int, int] = {TRUE: 1}
        self._variables: list[int] = []
        differ = [self._gate("xor", (self.bit(one), self.bit(other))) for one, other in zip(x, y, strict=True)]
        self.clauses.append(tuple(differ))
        done = 0
        for _ in range(depth):
            new, done = self._variables[done:], len(self._variables)
            for one, other in dict.fromkeys(pair for node in new for pair in facts.get(node, ())):
                left, right = self.bit(one), self.bit(other)
                self.clauses += [(-left, right), (left, -right)]
        for top, (bits, most) in logic.groups.items():
            bounded = logic.nodes[top][0] == "var" and most < (1 << len(bits)) - 1
            if bounded and any(bit in self._known for bit in bits):
                self._at_most([self.bit(bit) for bit in bits], most)

    def bit(self, bit: int) -> int:
        """The number of a bit, negative for its inverse; its gates are added."""
        waiting = [abs(bit)]
        while waiting:
            node = waiting[-1]
            if node in self._known:
                waiting.pop()
            elif missing := [each for each in map(abs, self._logic.below(node)) if each not in self._known]:
                waiting += missing
            else:
                self._known[waiting.pop()] = self._encoded(node)
        return self._known[abs(bit)] if bit > 0 else -self._known[abs(bit)]

    def _encoded(self, node: int) -> int:
        kind, *rest = self._logic.nodes[node]
        known = [self.bit(bit) for bit in self._logic.below(node)]
        if kind == "var":
            self._variables.append(node)
            self._size += 1
            return self._size
        if kind == "and":
            return self._all(known)
        if kind == "ite":
            return self._choice(*known)
        if kind == "sum":
            k, plus, terms = rest
            return self._added([(bit, factor) for bit, (_, factor) in zip(known, terms, strict=True)], plus, k)
        x, y = known[: len(rest[1])], known[len(rest[1]) :]
        if kind == "mul":
            return self._columns(self._products(x, y), rest[0])[-1]
        k = int(rest[0])
        return self._division(tuple(x), tuple(y))[kind == "rem"][k]

    def _gate(self, kind: str, bits: Sequence[int]) -> int:
        """A gate of at most three bits by its truth table: xor, maj, ite, and."""
        if kind != "ite":
            bits = sorted(bits)
        key = kind, tuple(bits)
        if key not in self._gates:
            self._size += 1
            self._gates[key] = out = self._size
            for values in range(1 << len(bits)):
                on = [values >> k & 1 for k in range(len(bits))]
                result = {"xor": sum(on) & 1, "maj": sum(on) > 1, "ite": on[1 if on[0] else -1]}[kind]
                inputs = [-bit if one else bit for bit, one in zip(bits, on, strict=True)]
                self.clauses.append((*inputs, out if result else -out))
        return self._gates[key]

    def _all(self, bits: Sequence[int]) -> int:
        key = "and", tuple(bits)
        if key not in self._gates:
            self._size += 1
            self._gates[key] = out = self._size
            self.clauses += [(-out, bit) for bit in bits]
            self.clauses.append((out, *(-bit for bit in bits)))
        return self._gates[key]

    def _choice(self, c: int, x: int, y: int) -> int:
        return self._gate("ite", (c, x, y))

    def _products(self, x: Sequence[int], y: Sequence[int]) -> list[tuple[int, int]]:
        return [(self._all(sorted((one, other))), 1 << i + j) for i, one in enumerate(x) for j, other in enumerate(y)]

    def _added(self, terms: Iterable[tuple[int, int]], plus: int, k: int) -> int:
        """Bit k of a sum of bits times factors, and a number."""
        positive = []
        for bit, factor in terms:  # -x is ~x - 1
            positive.append((bit, factor) if factor > 0 else (-bit, -factor))
            plus += min(factor, 0)
        return self._columns([*positive, (1, plus % (2 << k))], k)[-1]

    def _columns(self, terms: Iterable[tuple[int, int]], k: int) -> list[int]:
        """The bits up to k of a sum, by adders of three and two bits in each column."""
        columns: list[list[int]] = [[] for _ in range(k + 2)]
        for bit, factor in terms:
            for place in range(k + 1):
                if factor >> place & 1:
                    columns[place].append(bit)
        for place in range(k + 1):
            column = columns[place]
            while len(column) > 1:
                bits, column = column[:3], column[3:]
                column.append(self._gate("xor", bits))
                columns[place + 1].append(self._gate("maj", bits))
            columns[place] = column or [-1]
        return [column[0] for column in columns[: k + 1]]

    def _division(self, x: Literals, y: Literals) -> tuple[Literals, Literals]:
        """Quotient and rest as new bits: x = q * y + r without a carry out, and r < y unless y is 0."""
        size = len(x)
        key = "div", (*x, *y)
        if key not in self._gates:
            self._gates[key] = first = self._size + 1
            self._size += 2 * size
            q, r = (tuple(range(first + size * n, first + size * (n + 1))) for n in (0, 1))
            rests = [(bit, 1 << k) for k, bit in enumerate(r)]
            whole = self._columns([*self._products(q, y), *rests], 2 * size)
            zero = self._all([-bit for bit in y])
            self.clauses += [(zero, -bit) for bit in whole[size:]]
            for one, other in zip(whole, x, strict=False):
                self.clauses += [(zero, -one, other), (zero, one, -other)]
            above = self._columns([*rests, *((-bit, 1 << k) for k, bit in enumerate(y)), (1, 1)], size)[-1]
            self.clauses.append((zero, -above))  # r + ~y + 1 carries out where r >= y
            for quotient, rest, bit in zip(q, r, x, strict=True):
                self.clauses += [(-zero, quotient), (-zero, -rest, bit), (-zero, rest, -bit)]
        first = self._gates[key]
        return tuple(range(first, first + size)), tuple(range(first + size, first + 2 * size))

    def _at_most(self, bits: Sequence[int], most: int) -> None:
        """The word is at most so much: where a bit of that is 0, so is the bit, unless one above it is smaller."""
        for k, bit in enumerate(bits):
            if not most >> k & 1:
                smaller = [-above for place, above in enumerate(bits) if place > k and most >> place & 1]
                self.clauses.append((-bit, *smaller))


def refuted(clauses: Sequence[Literals], steps: Iterable[Sequence[Sequence[int]]]) -> bool:
    """True if the steps, each of them a clause and the numbers of the clauses that it follows from by unit propagation,
    lead to the empty clause. Clauses are counted from 0, steps after those of the question."""
    known = [*clauses]
    for clause, hints in steps:
        true = {-bit for bit in clause}
        for number in hints:
            if not 0 <= number < len(known):
                return False
            left = [bit for bit in known[number] if -bit not in true]
            if not left:
                break
            if len(set(left)) > 1:
                return False
            true.add(left[0])
        else:
            return False
        known.append(tuple(clause))
        if not clause:
            return True
    return False
