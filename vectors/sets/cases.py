# SPDX-License-Identifier: Apache-2.0
"""Cases: operands with results, ids that follow from the content, and flags that say what is special about a case.

Sets are generated in batches with one column per field, because Python's work per value takes most of the time.
"""

import hashlib
import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeVar

import gmpy2

from limbtrace.vectors.encoding import dump, hexadecimal
from limbtrace.vectors.representations import digit_vectors
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets.layout import NUMBERS, LineTemplate

NOTES = {
    "ZeroOperand": "An operand is 0; the result must be 0.",
    "LazyOperand": "An operand is not below the modulus, which the model accepts and a core may not.",
    "NotReduced": "The result is not below the modulus: the algorithm returns it without a final subtraction.",
    "QuotientZero": "No multiple of the modulus is added: every quotient digit is 0.",
    "QuotientMaximal": "Every quotient digit has its largest value.",
}


_T = TypeVar("_T")
_SUBSCRIPTS = re.compile(r"\[[-0-9,]*\]")

BATCH = 512
"""Number of cases that are generated together."""


class Case(NamedTuple):
    """One product; `residue` is the result modulo the modulus."""

    id: str
    a: int
    b: int
    result: int
    residue: int
    flags: tuple[str, ...]
    comment: str
    checkpoints: tuple[tuple[int, int], ...] | None = None
    """Checkpoints of a chain, which has no b: (links, result of a chain that ends there)."""

    def line(self) -> str:
        """The case as compact JSON, the form in which the digest of a set sees it."""
        a, b, result, residue = (hexadecimal(value) for value in self[1:5])
        rest = dump(list(self.flags)), dump(self.comment)
        if self.checkpoints is not None:
            return _SIGNED[True] % (self.id, a, result, residue, *rest, _points(self.checkpoints))
        return _SIGNED[False] % (self.id, a, b, result, residue, *rest)


Checkpoints = tuple[tuple[int, int], ...]


def _points(checkpoints: Checkpoints) -> str:
    return dump([[links, hexadecimal(value)] for links, value in checkpoints])


_TEXTS: dict[str, Callable[[Any], str]] = {"flags": lambda flags: dump(list(flags)), "comment": dump}
_START, _END = '{"id":"%s","a":"0x%s",', '"result":"0x%s","residue":"0x%s","flags":%s,"comment":%s'
LINE = LineTemplate(
    _START + '"b":"0x%s",' + _END + "}\n", ("id", "a", "b", "result", "residue", "flags", "comment"), _TEXTS
)
"""A case as compact JSON."""
CHAIN_LINE = LineTemplate(
    _START + _END + ',"checkpoints":%s}\n',
    ("id", "a", "result", "residue", "flags", "comment", "checkpoints"),
    {**_TEXTS, "checkpoints": _points},
)
"""A case of a chain as compact JSON."""
_SIGNED = [line.text.replace("0x%s", "%s").removesuffix("\n") for line in (LINE, CHAIN_LINE)]
"""Both for numbers with a sign, since a user's case may have -0x5."""


class CaseBatch(NamedTuple):
    """Consecutive cases, one column a field; the integers are those of gmpy2.

    `residue[k] is result[k]` if the result is below the modulus, so that nothing is computed twice.
    """

    a: Sequence[int]
    b: Sequence[int]
    result: Sequence[int]
    residue: Sequence[int]
    comment: Sequence[str]
    checkpoints: Sequence[Checkpoints] | None = None
    written: Sequence[tuple[int, int, int]] | None = None
    """a, b and result again, as digits if these do not follow from the integers."""

    def cases(self) -> Iterable[tuple[int, int, int]]:
        """a, b and result of every case."""
        return zip(*(map(int, column) for column in self[:3]), strict=True)


class CaseTexts:
    """The fields of a batch as lines show them, each made when it is asked for; see `layout.Fields`."""

    def __init__(self, maker: "CaseMaker", batch: CaseBatch) -> None:
        self.maker, self.batch = maker, batch
        self._columns: dict[str, Sequence[Any]] = {}

    def numbers(self, name: str) -> Sequence[int]:
        """One of NUMBERS for every case."""
        column: Sequence[int] = getattr(self.batch, name)
        return column

    def column(self, name: str) -> Sequence[Any]:
        """A field of every case: a text; flags as tuples, checkpoints as pairs, digits as `digit_vectors`."""
        if name not in self._columns:
            self._columns[name] = self._made(name)
        return self._columns[name]

    def _made(self, name: str) -> Sequence[Any]:
        maker, batch = self.maker, self.batch
        if name == "id":
            return maker.ids(self.column("a"), self.column("b"))
        if name == "flags":
            return maker.all_flags(batch)
        if name == "residue":
            pairs = zip(batch.result, batch.residue, self.column("result"), strict=True)
            return [text if residue is result else f"{residue:x}" for result, residue, text in pairs]
        if name == "digits":
            return [digit_vectors(maker.multiplier, *case) for case in batch.written or batch.cases()]
        return _hexadecimal(self.numbers(name)) if name in NUMBERS else getattr(batch, name)


class CaseMaker:
    """Generates the cases of one multiplier from operands; for a chain, with checkpoints after the given links."""

    def __init__(self, multiplier: Multiplier, checkpoints: Sequence[int] = (), events: Container[str] = ()) -> None:
        self.multiplier = multiplier
        self.checkpoints = checkpoints
        self.events = events
        """Names of events that are flags of the cases whose comment is such an event at its place."""
        params = multiplier.params
        # Without a modulus, and of operands that hold several numbers, a bound that no operand reaches.
        modulus = 0 if multiplier.model.numbers else multiplier.modulus.modulus
        self._modulus = gmpy2.mpz(modulus or max(*params.limits, params.result_limit) + 1)
        self._hash = hashlib.sha256(multiplier.identity.encode())
        domain = None if multiplier.model.unary else params.domain
        self._r_bits = domain.bit_length() - 1 if domain is not None else None
        self._maximal = () if domain is None else tuple(map(gmpy2.mpz, multiplier.params.full_multiples))

    def case_id(self, a: int, b: int) -> str:
        """Id of a case: a hash of everything that determines it."""
        return self.ids([f"{a:x}"], [f"{b:x}"])[0]

    def ids(self, a: Sequence[str], b: Sequence[str]) -> list[str]:
        """`case_id` of operands in hexadecimal digits."""
        digests = []
        for content in [f"|{a_digits}|{b_digits}".encode() for a_digits, b_digits in zip(a, b, strict=True)]:
            digest = self._hash.copy()
            digest.update(content)
            digests.append(digest.digest()[:8])
        return b"".join(digests).hex(" ", 8).split()

    def flags(self, a: int, b: int, result: int) -> tuple[str, ...]:
        """The notes that apply, in the order of NOTES."""
        p = self._modulus
        flags = []
        if a == 0 or (b == 0 and not self.multiplier.model.unary):
            flags.append("ZeroOperand")
        if a >= p or b >= p:
            flags.append("LazyOperand")
        if result >= p:
            flags.append("NotReduced")
        if self._r_bits is not None:
            multiple = (result << self._r_bits) - a * b
            if multiple == 0:
                flags.append("QuotientZero")
            elif multiple in self._maximal:
                flags.append("QuotientMaximal")
        return tuple(flags)

    @property
    def quotient_bits(self) -> tuple[int, tuple[int, ...]]:
        """Some low bits, and what they are in the product of operands whose quotient may be extreme."""
        low = (gmpy2.mpz(1) << min(self._r_bits or 64, 64)) - 1
        return low, (0, *(-multiple & low for multiple in self._maximal))

    def _noteworthy(self, batch: CaseBatch) -> list[int]:
        """Positions of the cases that may have flags.

        Modulo R, a*b is 0 if every quotient digit is 0, and one of a few other values if all are maximal. The lowest
        bits of a*b rule out nearly all other cases.
        """
        p = self._modulus
        lazy = max(*batch.a, *batch.b) >= p
        low, extremes = self.quotient_bits
        columns = zip(batch.a, batch.b, batch.result, strict=True)
        return [
            k for k, (a, b, result) in enumerate(columns)
            if result >= p or (lazy and (a >= p or b >= p)) or a * b & low in extremes
        ]  # fmt: skip

    def case(self, a: int, b: int, comment: str = "", result: int | None = None) -> Case:
        """The case of these operands; `result` is given if it is already known."""
        m = self.multiplier
        if result is None:
            result = m.model.result(m.params, a, b)
        residue = m.residue(result)
        flags = self.flags(a, b, result)
        return Case(self.case_id(a, b), a, b, result, residue, flags, comment, self.on_the_way(a))

    def on_the_way(self, a: int) -> Checkpoints | None:
        """The checkpoints of a chain."""
        m = self.multiplier
        if m.model.chain is None:
            return None
        return tuple(zip(self.checkpoints, m.model.chain.powers(m.params, int(a), self.checkpoints), strict=True))

    def batch(
        self, a: Sequence[int], b: Sequence[int], comment: Sequence[str], results: Sequence[int] | None = None
    ) -> CaseBatch:
        """The cases of these operands; `results` are given if they are already known."""
        m, p = self.multiplier, self._modulus
        if results is None:
            results = m.model.results(m.params, a, b)
        checkpoints = None if m.model.chain is None else [self.on_the_way(value) or () for value in a]
        return CaseBatch(a, b, results, [value if value < p else value % p for value in results], comment, checkpoints)

    def all_flags(self, batch: CaseBatch) -> list[tuple[str, ...]]:
        """The flags of every case, those for events among them."""
        flags: list[tuple[str, ...]] = [()] * len(batch.a)
        for k in self._noteworthy(batch):
            flags[k] = self.flags(batch.a[k], batch.b[k], batch.result[k])
        if self.events:
            flags = [(*own, *self.event(comment)) for own, comment in zip(flags, batch.comment, strict=True)]
        return flags

    def event(self, comment: str) -> tuple[str, ...]:
        """The flag that a comment stands for: the name of its event, if it is one."""
        name = _SUBSCRIPTS.sub("", comment)
        return (name,) if name in self.events else ()


def _hexadecimal(column: Sequence[int]) -> list[str]:
    return list(map(gmpy2.mpz.digits, column, repeat(16)))  # three times as fast as formatting each value
