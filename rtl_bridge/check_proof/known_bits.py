# SPDX-License-Identifier: Apache-2.0
"""Variables of a certificate, and equalities of bits that hold for what these stand for."""

from collections.abc import Iterable

from limbtrace.rtl_bridge.check_proof.logic import TRUE, BitWord, Logic

MOST_DEFINITIONS = 8
"""Variables that are followed for one bit."""


class BitFacts:
    """Facts about the bits of a graph."""

    def __init__(self, logic: Logic) -> None:
        self.logic = logic
        self.names: dict[str, tuple[int, BitWord]] = {}
        """Name -> the mask of a variable, and its bits."""
        self.words: list[BitWord] = []
        self.masks: dict[int, int] = {1: 0}
        """Node -> the variables that it depends on, bit n for number n of `words`."""
        self.live = 0
        """Variables that something depends on."""
        self.forget()

    def forget(self) -> None:
        """Forget all facts: variables stand for other values from now on."""
        self._equal: dict[int, int] = {}
        self._normal: dict[int, int] = {TRUE: TRUE}
        self.equalities: dict[int, list[tuple[int, int]]] = {}
        """Node of a variable -> pairs of bits that are equal."""
        self.definitions: dict[int, int] = {}
        """Node of a variable -> the bit that it stands for."""
        self.defined = 0
        self._expanded: dict[int, dict[int, int]] = {}
        """A variable -> bits made anew with its definition in its place."""

    def variable(self, name: str, width: int, most: int) -> BitWord:
        """A variable by its name. Raises ValueError for another width or bound than it had."""
        if name not in self.names:
            bits = self.logic.variable(name, width, most)
            self.names[name] = 1 << len(self.names), bits
            self.words.append(bits)
            for bit in bits:
                self.masks[bit] = self.names[name][0]
        _, bits = self.names[name]
        if len(bits) != width or self.logic.groups[bits[-1]][1] != most or not 0 < most < 1 << width:
            raise ValueError(f"{name} has another width or bound, or an invalid bound")
        return bits

    def support(self, bits: Iterable[int]) -> int:
        """The variables that bits depend on."""
        mask = 0
        for root in bits:
            waiting = [abs(root)]
            while waiting:
                node = waiting[-1]
                below = () if node in self.masks else self.logic.below(node)
                if missing := [each for each in map(abs, below) if each not in self.masks]:
                    waiting += missing
                else:
                    waiting.pop()
                    if node not in self.masks:
                        found = 0
                        for each in below:
                            found |= self.masks[abs(each)]
                        self.masks[node] = found
            mask |= self.masks[abs(root)]
        return mask

    def is_fresh(self, bits: BitWord) -> bool:
        """True if a word is a variable that nothing depends on and that may have any value; nothing else may take it
        from now on."""
        whole, most = self.logic.groups.get(bits[-1], ((), 0))
        mask = self.masks.get(bits[-1], 0)
        if bits != whole or self.logic.nodes[bits[-1]][0] != "var" or mask & self.live:
            return False
        self.live |= mask
        return most == (1 << len(bits)) - 1

    def is_defined_alike(self, x: int, y: int) -> bool:
        """True if two bits are equal once variables that one of them depends on are what they stand for, the newest
        one first."""
        for _ in range(MOST_DEFINITIONS):
            apart = (self.support([x]) ^ self.support([y])) & self.defined
            if not apart:
                return False
            newest = 1 << apart.bit_length() - 1
            made = self._expanded.setdefault(newest, {})
            x, y = (self._with_definition(bit, newest, made) for bit in (x, y))
            if x == y:
                return True
        return False

    def _with_definition(self, bit: int, variable: int, made: dict[int, int]) -> int:
        """A bit made anew with the definition of a variable in its place."""

        def of(bit: int) -> int:
            if not self._masks_of(abs(bit)) & variable:
                return bit
            return made[bit] if bit > 0 else -made[-bit]

        waiting = [abs(bit)]
        while waiting:
            node = waiting[-1]
            needs = self._masks_of(node) & variable and node not in made
            below = self.logic.below(node) if needs else ()
            missing = [each for each in map(abs, below) if self._masks_of(each) & variable and each not in made]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if needs:
                made[node] = self.definitions.get(node) or self.logic.again(node, of)
        return of(bit)

    def _masks_of(self, node: int) -> int:
        return self.masks[node] if node in self.masks else self.support([node])

    def norm(self, bit: int) -> int:
        """A bit made anew, with what is equal to bits in their places."""
        waiting = [abs(bit)]
        while waiting:
            node = waiting[-1]
            if node in self._normal:
                waiting.pop()
            elif node in self._equal and abs(self._equal[node]) not in self._normal:
                waiting.append(abs(self._equal[node]))
            elif node in self._equal:
                self._normal[waiting.pop()] = self._normed(self._equal[node])
            elif missing := [each for each in map(abs, self.logic.below(node)) if each not in self._normal]:
                waiting += missing
            else:
                made = self.logic.again(node, self._normed)
                self._normal[waiting.pop()] = made if abs(made) not in self._equal else self.norm(made)
        return self._normed(bit)

    def _normed(self, bit: int) -> int:
        return self._normal[bit] if bit > 0 else -self._normal[-bit]

    def unify(self, x: BitWord, y: BitWord) -> None:
        """Two words are equal from now on: variables, or else what was there first, take the places of others."""
        for pair in zip(x, y, strict=True):
            for one, other in (pair, pair[::-1]):
                if self.logic.nodes[abs(one)][0] == "var":
                    self.equalities.setdefault(abs(one), []).append((one, other))
            one, other = sorted(map(self.norm, pair), key=self._rank)
            if one not in (other, -other) and abs(other) != TRUE:
                self._equal[abs(other)] = one if other > 0 else -one
                self._normal = {TRUE: TRUE}

    def _rank(self, bit: int) -> tuple[bool, bool, int]:
        return abs(bit) != TRUE, self.logic.nodes[abs(bit)][0] != "var", abs(bit)
