# SPDX-License-Identifier: Apache-2.0
"""The document of directed moduli, and the request for it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from limbtrace.refmodels.directed_moduli import COMPOSITES, DirectedModulus, directed_moduli
from limbtrace.refmodels.expressions import parse_power_of_two
from limbtrace.refmodels.settings import MAX_WIDTH
from limbtrace.vectors.document import Document, Hex, Shape, member, members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.options import Query, option
from limbtrace.vectors.request import within

DEFAULT_RADIX = "2^16"
"""The radix where nothing says another one: boundaries of words of 32 and 64 bits are among its own."""
DEFAULT_COUNT, MOST = 64, 1000
"""Moduli of a list by default and at most."""


class ListedModulus(Shape, name="DirectedModulus"):
    """A modulus at which hardware is likely to be wrong."""

    modulus: Hex
    bits: int = member(ge=2)
    primality: Literal["prime", "composite", "prime power"]
    reason: str = member("a phrase about the modulus p")
    expression: str | None = member("the modulus in powers of two or factors, where that is short", default=None)


class DirectedModuli(Document):
    """Directed moduli of a width, one of every kind of reason after the other."""

    bits: int
    radix: str = member("of the words that the reasons are about")
    moduli: list[ListedModulus]


@dataclass(frozen=True)
class ModuliRequest:
    """A request for directed moduli."""

    bits: int
    word: int
    """Bits of a word."""
    count: int
    """The most moduli of the list."""
    composite: str
    even: bool
    widths: bool

    def moduli(self, takes: Callable[[int], bool] = lambda p: True) -> Iterable[DirectedModulus]:
        """All moduli, more than `count` of them, too; `takes`: the further condition on them. Raises ParameterError."""
        return directed_moduli(
            self.bits, self.word, composite=self.composite, even=self.even, other_widths=self.widths, takes=takes
        )


class ModuliQuery(Query):
    """Directed moduli of a width."""

    bits: str | int = option("Bits of the moduli.", ["256"], help="Bits of the moduli.", metavar="N", least=2)
    radix: str | None = option(
        f"Power of two: the radix of the words that the reasons are about; {DEFAULT_RADIX} by default.", ["2^32"],
        default=None, help=f"Radix of the words of the hardware; default {DEFAULT_RADIX}.", metavar="2^K",
    )  # fmt: skip
    count: str | int | None = option(
        f"The most moduli, up to {MOST}; {DEFAULT_COUNT} by default.", ["16"], default=None,
        help=f"At most K moduli, up to {MOST}; default {DEFAULT_COUNT}.", metavar="K", least=1,
    )  # fmt: skip
    composite: str | None = option(
        "Whether there are composite moduli, too: no, yes or only; no by default.", ["yes"], default=None,
        help="Composite moduli, too: no, yes or only; default no.", metavar="no|yes|only", choices=lambda: COMPOSITES,
    )  # fmt: skip
    even: bool = option(
        "Even moduli, too, which are composite but for 2.", ["true"], default=False,
        help="Even moduli, too, which are composite but for 2.",
    )  # fmt: skip
    widths: bool = option(
        "Moduli of one and two bits fewer, and of one word fewer and more, too.", ["true"], default=False,
        help="Moduli of one and two bits fewer, and of one word fewer and more, too.",
    )  # fmt: skip

    @property
    def request(self) -> ModuliRequest:
        """Raises ParameterError."""
        return ModuliRequest(
            bits=within("bits", self.bits, 2, MAX_WIDTH),
            word=parse_power_of_two(DEFAULT_RADIX if self.radix is None else self.radix),
            count=DEFAULT_COUNT if self.count is None else within("count", self.count, 1, MOST),
            composite=self.composite or COMPOSITES[0],
            even=self.even,
            widths=self.widths,
        )


def moduli_document(request: ModuliRequest, found: Iterable[DirectedModulus]) -> dict[str, Any]:
    """The first of the moduli that were found for a request, as DirectedModuli."""
    document: dict[str, Any] = members(
        DirectedModuli,
        format=FORMAT,
        bits=request.bits,
        radix=f"2^{request.word}",
        moduli=[_listed(entry) for entry in islice(found, request.count)],
    )
    return document


def _listed(entry: DirectedModulus) -> Any:
    return members(
        ListedModulus,
        modulus=hexadecimal(entry.modulus),
        bits=entry.modulus.bit_length(),
        primality=entry.primality,
        reason=entry.reason,
        expression=entry.expression or None,
    )
