# SPDX-License-Identifier: Apache-2.0
"""The seeded operand generator.

Case i of a seed does not depend on the count, the machine or the Python version: randomness is SHAKE-128 in counter
mode, one block of cases at a time. So operands begin at any case without those in front, but for kind `chained`.
Operands stay below the modulus, except for the kinds `lazy`, `events`, `directed` and `exhaustive`, which use the full
range that the model accepts, for `chained`, and for models that reduce their operand (`Model.whole_range`).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, repeat
from typing import Any, NamedTuple, Protocol

import gmpy2

from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.event_search import Occurrences
from limbtrace.refmodels.mechanisms import ReducedProduct, shown
from limbtrace.refmodels.representations import Written
from limbtrace.vectors.request import CHAINED, CHAINS, DIRECTED, EVENTS, Multiplier, VectorRequest

_BLOCK = 64
"""Number of values per call of the hash."""
PAIRS = _BLOCK // 2
"""Number of pairs of operands per call."""
MOST_MECHANISMS = 256
"""Cases for mechanisms of hardware, of a model that promises a result alone."""
MOST_BESIDE_EVENTS = 96
"""Those of a model with events of its own."""
LEAST_LIMB = 4
"""Bits of a digit, from which on mechanisms take it for a limb."""
FIRST_MECHANISMS = 11
"""Cases of kind `directed` before the first one of another kind."""
SHARE = 8
"""Cases of kind `directed` of which one has an event, after the first turn."""

Operands = tuple[int, int, str]
"""a, b and a comment. The integers are gmpy2 integers, which are faster to compute with, or carry digits."""


class Startable(Protocol):
    """Operands that can begin at any of them."""

    def start(self, first: int) -> Iterator[Operands]:
        """The operands from number `first` on, without those in front, but for kind chained."""


def operands(request: VectorRequest) -> Iterator[Operands]:
    """The operands of a request, in order: `count` of them from its `first` case on."""
    return islice(InTurn(series(request)).start(request.first), request.count)


def series(request: VectorRequest) -> "list[Series]":
    """The series of which the cases of a set are taken in turn; endless, but for kind exhaustive."""
    multiplier, seed = request.multiplier, request.seed
    if (every := request.every) is not None:
        return [Series((), Made(lambda first: ((a, b, "") for a, b in every.start(first))))]
    if chosen := request.chosen_events:
        return [Series((), Made(lambda first: _chosen_events(multiplier, seed, first, chosen)))]
    if (kind := _OF_WORDS.get(request.kind_name)) is not None:
        words = request.words
        return [Series((), Made(lambda first: kind(multiplier, seed, first, words)))]
    return _KINDS[request.kind](multiplier, seed)


def event_labels(request: VectorRequest) -> Iterator[str]:
    """Comments of cases, among them those of every event that a case is meant for."""
    kind, model = request.kind_name, request.multiplier.model
    if request.first or request.chosen_events or model.result_alone or kind not in _OF_WORDS:
        return (comment for _, _, comment in operands(request))
    # Later turns have the places of the first one.
    most = request.count if kind == EVENTS else -(-request.count // 2)
    found = _occurrences(request.multiplier, request.seed).first_turn()
    return (occurrence.place.label for occurrence in islice(found, most))


def pairs(request: VectorRequest) -> Iterator[tuple[int, int]]:
    """a and b of a request, in order, as Python integers, or as digits if they were given as digits."""
    return ((_plain(a), _plain(b)) for a, b, _ in operands(request))


def _plain(value: int) -> int:
    return value if isinstance(value, Written) else int(value)


class RandomStream:
    """Random integers of a fixed width, `size` bytes each, in blocks of 2 * PAIRS."""

    def __init__(self, multiplier: Multiplier, seed: int, purpose: str, bits: int) -> None:
        self.label = f"{multiplier.modulus.modulus:x}|{purpose}|{seed}|".encode()
        self.size = -(-bits // 8)

    def raw(self, first: int, last: int) -> bytes:
        """The blocks from `first` to `last` - 1, each number with its low byte first."""
        label, size, shake = self.label, self.size * _BLOCK, hashlib.shake_128
        return b"".join([shake(b"%b%d" % (label, number)).digest(size) for number in range(first, last)])

    def block(self, number: int) -> list[int]:
        """A block of them."""
        # A nonzero last field keeps `unpack` from dropping leading zero fields.
        fields: list[int] = gmpy2.unpack(
            gmpy2.mpz.from_bytes(self.raw(number, number + 1) + b"\1", "little"), 8 * self.size
        )
        return fields[:_BLOCK]


def _below_modulus(multiplier: Multiplier) -> tuple[int, int]:
    """Largest a and b below the modulus that the model accepts; with few passes the scanned operand is shorter.

    Of a model without a modulus, and of one that reduces its operand, the largest ones of all.
    """
    a_max, b_max = multiplier.params.limits
    if not multiplier.model.has_modulus or multiplier.model.whole_range:
        return a_max, b_max
    most = multiplier.modulus.modulus - 1
    return min(most, a_max), min(most, b_max)


def fit(multiplier: Multiplier, a: int, b: int) -> tuple[int, int]:
    """The pair if the model accepts it; otherwise a is shortened by some bits, and b reduced to the accepted range."""
    largest_b, params = multiplier.model.largest_b, multiplier.params
    if largest_b is None or b <= largest_b(params, a):
        return a, b
    a >>= int(a % (params.limits[0].bit_length() + 1))
    return a, b % (largest_b(params, a) + 1)


@dataclass(frozen=True)
class RunPattern:
    """A word of `bits` bits whose run lengths are given by the 16 bytes of a value, used cyclically."""

    bits: int

    def __call__(self, random: int) -> int:
        lengths = random.to_bytes(16, "little")
        first = lengths[0] >> 7
        word = position = 0
        for k in count():
            length = lengths[k % 16] % max(self.bits // 2, 2) + 1
            if k & 1 == first:
                word |= ((1 << length) - 1) << position
            position += length
            if position >= self.bits:
                break
        return word & ((1 << self.bits) - 1)


@dataclass(frozen=True)
class DigitPattern:
    """A word of that many digits; for each, a byte of the value chooses its kind, and the bits above are a random one.

    The value has `digits * (width + 8)` bits.
    """

    digits: int
    width: int

    def __call__(self, random: int) -> int:
        full = (1 << self.width) - 1
        fields = gmpy2.unpack(random, self.width + 8)[: self.digits]
        digits = [(0, 1, full, full - 1, field >> 8)[(field & 0xFF) % 5] for field in fields]
        word: int = gmpy2.pack(digits, self.width)
        return word


@dataclass(frozen=True)
class Drawn:
    """Values of a stream, alternately for a and b, mapped by `shape` if given, reduced to 0 .. limit; endless."""

    multiplier: Multiplier
    stream: RandomStream
    limits: tuple[int, int]
    shape: RunPattern | DigitPattern | None = None
    comment: str = ""

    def start(self, first: int) -> Iterator[Operands]:
        """The operands from number `first` on."""
        number, behind = divmod(first, PAIRS)
        return islice(chain.from_iterable(map(self.block, count(number))), behind, None)

    @property
    def fitted(self) -> bool:
        """True if `fit` changes some of the pairs."""
        return self.multiplier.model.largest_b is not None

    def block(self, number: int) -> Iterable[Operands]:
        """PAIRS of them."""
        values = self.stream.block(number)
        if self.shape is not None:
            values = list(map(self.shape, values))
        a_range, b_range = (gmpy2.mpz(limit + 1) for limit in self.limits)
        a, b = [value % a_range for value in values[::2]], [value % b_range for value in values[1::2]]
        if self.fitted:
            return ((*fit(self.multiplier, x, y), self.comment) for x, y in zip(a, b, strict=True))
        return zip(a, b, repeat(self.comment))


@dataclass(frozen=True)
class Made:
    """Operands that a function makes, from any number on."""

    start: Callable[[int], Iterator[Operands]]


@dataclass(frozen=True)
class Series:
    """A series of operands: chosen ones first, then drawn ones; endless, except for kind exhaustive."""

    chosen: Iterable[Operands]
    """Few; they can be consumed once."""
    rest: Startable

    def start(self, first: int) -> Iterator[Operands]:
        """The operands from number `first` on."""
        chosen, number = self.begin(first)
        return chain(chosen, self.rest.start(number))

    def begin(self, first: int) -> tuple[Iterator[Operands], int]:
        """The chosen ones from number `first` of the series on, and the number of the first one of the rest."""
        chosen = iter(self.chosen)
        return chosen, first - sum(1 for _ in islice(chosen, first))


@dataclass(frozen=True)
class InTurn:
    """Operands of several series in turn."""

    several: Sequence[Startable]

    def start(self, first: int) -> Iterator[Operands]:
        """The operands from number `first` on."""
        size = len(self.several)
        begun = [one.start(len(range(turn, first, size))) for turn, one in enumerate(self.several)]
        turn = first % size
        return chain.from_iterable(zip(*begun[turn:], *begun[:turn], strict=True))


def _drawn_bits(multiplier: Multiplier) -> int:
    """Bits of an operand that is drawn: those of the modulus, or of the operand that is reduced."""
    return max(multiplier.params.limits).bit_length() if multiplier.model.whole_range else multiplier.bits


def _random(multiplier: Multiplier, seed: int) -> Series:
    """Uniform below the modulus: drawn with 64 additional bits, so that the bias of the remainder is below 2^-64."""
    stream = RandomStream(multiplier, seed, "random", _drawn_bits(multiplier) + 64)
    return Series((), Drawn(multiplier, stream, _below_modulus(multiplier)))


def _runs(multiplier: Multiplier, seed: int) -> Series:
    """Runs of equal bits, which start and sustain long carry chains."""
    stream, shape = RandomStream(multiplier, seed, "runs", 16 * 8), RunPattern(_drawn_bits(multiplier))
    return Series((), Drawn(multiplier, stream, _below_modulus(multiplier), shape, "runs of equal bits"))


def _special(multiplier: Multiplier, limit: int) -> list[tuple[int, str]]:
    """Boundary values up to `limit`; a value with several meanings keeps the first one."""
    p, radix_bits = multiplier.modulus.modulus, multiplier.params.radix_bits
    bits = multiplier.bits
    top = 1 << (bits - 1)
    values = [(0, "0"), (1, "1"), (p - 1, "p - 1"), (2, "2"), (p - 2, "p - 2"), (p // 2, "(p - 1)/2"), (top, "2^(N-1)"),
              (top - 1, "2^(N-1) - 1")]  # fmt: skip
    if multiplier.params.domain is not None and p:
        values += [(multiplier.params.domain % p, "R mod p"), (multiplier.params.domain**2 % p, "R^2 mod p")]
    if radix_bits is not None and radix_bits < bits:
        digit = (1 << radix_bits) - 1
        high = radix_bits * ((bits - 1) // radix_bits)
        values += [
            (digit, "low digit all ones"),
            (1 << radix_bits, "1 in digit 1"),
            (1 << high, "1 in the top digit"),
            (p - 1 & ~digit, "p - 1 with a low digit of 0"),
            (p & ((1 << high) - 1), "p without its top digit"),
            (((1 << high) - 1) & ~digit, "ones in the middle digits"),
        ]
    values += [(p, "p"), (p + 1, "p + 1"), (2 * p - 1, "2p - 1"), (limit, "the largest")]
    seen: dict[int, str] = {}
    for value, name in values:
        if 0 <= value <= limit:
            seen.setdefault(value, name)
    return list(seen.items())


def _corners(multiplier: Multiplier, seed: int, limits: tuple[int, int]) -> Series:
    """Corners of the algorithm, then all pairs of special values, then an endless series of digit patterns."""
    width = multiplier.params.radix_bits or 8
    shape = DigitPattern(-(-max(limits).bit_length() // width), width)
    stream = RandomStream(multiplier, seed, "edge", shape.digits * (width + 8))
    comment = "digits of 0, 1, all ones, all ones but one, or random"
    return Series(_chosen_corners(multiplier, limits), Drawn(multiplier, stream, limits, shape, comment))


def _chosen_corners(multiplier: Multiplier, limits: tuple[int, int]) -> Iterator[Operands]:
    a_max, b_max = limits
    for corner in multiplier.model.corners(multiplier.params):
        chosen = chosen_digits(corner.a) or chosen_digits(corner.b)  # a case has no room for them
        if corner.a <= a_max and corner.b <= b_max and chosen is None:
            yield gmpy2.mpz(corner.a), gmpy2.mpz(corner.b), corner.comment
    a_values, b_values = _special(multiplier, a_max), _special(multiplier, b_max)
    largest_b = multiplier.model.largest_b
    # By diagonals, so that a short run sees every value at least once.
    for total in range(len(a_values) + len(b_values) - 1):
        for k in range(max(0, total - len(b_values) + 1), min(total + 1, len(a_values))):
            (a, a_name), (b, b_name) = a_values[k], b_values[total - k]
            if largest_b is not None and b > largest_b(multiplier.params, a):
                continue
            yield gmpy2.mpz(a), gmpy2.mpz(b), f"a is {a_name}" + ("" if multiplier.model.unary else f", b is {b_name}")


def _edge(multiplier: Multiplier, seed: int) -> Series:
    return _corners(multiplier, seed, _below_modulus(multiplier))


def _lazy(multiplier: Multiplier, seed: int) -> list[Series]:
    """Corners of the whole range, alternating with operands uniform over it."""
    return [_corners(multiplier, seed, multiplier.params.limits), _uniform(multiplier, seed)]


def _uniform(multiplier: Multiplier, seed: int, purpose: str = "lazy") -> Series:
    """Uniform over the whole range."""
    limits = multiplier.params.limits
    return Series((), Drawn(multiplier, RandomStream(multiplier, seed, purpose, max(limits).bit_length() + 64), limits))


def _mixed(multiplier: Multiplier, seed: int) -> list[Series]:
    return [kind(multiplier, seed) for kind in (_edge, _random, _runs)]


class Link(NamedTuple):
    """A product whose operands are results of other products; numbers may carry digits."""

    a: int
    b: int
    result: int
    """The result as operand b."""
    comment: str


def chained(multiplier: Multiplier, seed: int) -> Iterator[Link]:
    """CHAINS interleaved endless chains: the result of a product goes into the next one as a, as b, or as both.

    The other operand is that of the start of the chain, which is uniform over the whole range.
    """
    model, params = multiplier.model, multiplier.params
    begun = [(int(a), int(b)) for a, b, _ in islice(_uniform(multiplier, seed, CHAINED).start(0), CHAINS)]
    results = [model.as_operands(params, a, b) for a, b in begun]
    for (a, b), (_, result) in zip(begun, results, strict=True):
        yield Link(a, b, result, "a chain begins")
    for number in count():
        turn, place = divmod(number, CHAINS)
        (a, b), (result_a, result_b) = begun[place], results[place]
        a, b, which = ((result_a, b, "a is"), (a, result_b, "b is"), (result_a, result_b, "a and b are"))[turn % 3]
        results[place] = model.as_operands(params, a, b)
        yield Link(a, b, results[place][1], f"{which} the result {CHAINS} cases before")


def _chained(multiplier: Multiplier, seed: int, first: int) -> Iterator[Operands]:
    links = islice(chained(multiplier, seed), first, None)  # each of them needs those before it
    return ((link.a, link.b, link.comment) for link in links)


_latest: list[tuple[Multiplier, int, Occurrences[Any]]] = []
"""The one that was used last: a set asks twice, for the notes of its head and for its cases."""


def _occurrences(multiplier: Multiplier, seed: int) -> Occurrences[Any]:
    """The events of a multiplier with this seed."""
    for known, of_seed, found in _latest:
        if known.model is multiplier.model and known.params == multiplier.params and of_seed == seed:
            return found
    made = Occurrences(multiplier.model, multiplier.params, seed)
    _latest[:] = [(multiplier, seed, made)]
    return made


def _chosen_events(multiplier: Multiplier, seed: int, first: int, chosen: Sequence[str]) -> Iterator[Operands]:
    """The chosen events at one index after the other; then the same anew."""
    occurrences = _occurrences(multiplier, seed)
    places = [occurrences.place(label) for label in chosen]
    return (_labelled(pair, label) for pair, label in occurrences.stream(places, first))


def _events(multiplier: Multiplier, seed: int, first: int, words: Sequence[int]) -> Iterator[Operands]:
    """Every event that is reachable, at one index after the other; the mechanisms of hardware; the events anew."""
    occurrences = _occurrences(multiplier, seed)
    found = []
    for number, occurrence in enumerate(occurrences.first_turn()):
        found.append(occurrence)
        if number >= first and occurrence.pair is not None:
            yield _labelled(occurrence.pair, occurrence.place.label)
    mechanisms, behind = _mechanisms(multiplier, seed, words), max(first - len(found), 0)
    behind -= sum(1 for _ in islice(mechanisms, behind))
    yield from mechanisms
    for pair, label in occurrences.later_turns(found, first=behind):
        yield _labelled(pair, label)


def _directed(multiplier: Multiplier, seed: int, first: int, words: Sequence[int]) -> Iterator[Operands]:
    """Events, mechanisms of hardware and drawn operands."""
    mechanisms, drawn = _mechanisms(multiplier, seed, words), _drawn(multiplier, seed)
    if multiplier.model.result_alone:
        return _by_mechanisms(multiplier, seed, first, mechanisms, drawn)
    return _by_events(multiplier, seed, first, Series(mechanisms, drawn))


def _by_mechanisms(
    multiplier: Multiplier, seed: int, first: int, mechanisms: Iterator[Operands], drawn: Startable
) -> Iterator[Operands]:
    """Where a model says nothing of how hardware finds the result, the first places and then three of four have
    mechanisms of hardware until each was there. The others are those of `_by_events`.
    """
    rest: Iterator[Operands] | None = None
    place = others = 0
    for found in mechanisms:
        if place % 4 == 3 and place >= FIRST_MECHANISMS:
            if place >= first:
                rest = rest or _by_events(multiplier, seed, others, drawn)
                yield next(rest)
            place, others = place + 1, others + 1
        if place >= first:
            yield found
        place += 1
    yield from rest or _by_events(multiplier, seed, others + max(first - place, 0), drawn)


def _drawn(multiplier: Multiplier, seed: int) -> Startable:
    """Mixed operands and those of the whole range, in turn."""
    return InTurn([InTurn(_mixed(multiplier, seed)), _uniform(multiplier, seed)])


def _mechanisms(multiplier: Multiplier, seed: int, words: Sequence[int]) -> Iterator[Operands]:
    """The mechanisms of hardware, in limbs of these widths, or else as `_words` says."""
    if not multiplier.model.multiplies:
        return
    product, largest_b = reduced_product(multiplier), multiplier.model.largest_b
    most = MOST_MECHANISMS if multiplier.model.result_alone else MOST_BESIDE_EVENTS
    for found in islice(shown(product, seed, tuple(words) or _words(multiplier, product)), most):
        a, b = found.pair
        if largest_b is None or b <= largest_b(multiplier.params, a):
            yield _labelled(found.pair, found.label)


def _words(multiplier: Multiplier, product: ReducedProduct) -> tuple[int, ...]:
    """The width of a digit that the model scans; common widths, if it scans none or bits."""
    digit = multiplier.params.radix_bits or 0
    return (digit,) if LEAST_LIMB <= digit < product.bits else product.words()


def reduced_product(multiplier: Multiplier) -> ReducedProduct:
    """The integer that hardware reduces, of a chain that of its first product, without R, which enters and leaves.

    Where a large operand leaves little room for the other one, both are below p.
    """
    model, params = multiplier.model, multiplier.params
    assert model.reduced_value
    a_most, b_most = params.limits if model.largest_b is None else _below_modulus(multiplier)
    whole = not model.has_modulus
    modulus = 1 << max(a_most, b_most).bit_length() if whole else params.modulus
    domain = 1 if model.chain else params.domain or 1
    return ReducedProduct(modulus, a_most, b_most, model.reduced_value, domain, whole)


def _by_events(multiplier: Multiplier, seed: int, first: int, others: Startable) -> Iterator[Operands]:
    """Events take every second place until each was there, then every eighth; `others` have the rest."""
    occurrences = _occurrences(multiplier, seed)
    begun: Iterator[Operands] | None = None
    found = []
    for number, occurrence in enumerate(occurrences.first_turn()):
        found.append(occurrence)
        if number < first // 2 or occurrence.pair is None:
            continue
        if first <= 2 * number:
            yield _labelled(occurrence.pair, occurrence.place.label)
        begun = begun or others.start(number)
        yield next(begun)
    turn, behind = divmod(max(first - 2 * len(found), 0), SHARE)
    begun = begun or others.start(len(found) + turn * (SHARE - 1) + max(behind - 1, 0))
    for pair, label in occurrences.later_turns(found, first=turn):
        if not behind:
            yield _labelled(pair, label)
        yield from islice(begun, SHARE - max(behind, 1))
        behind = 0


def _labelled(pair: tuple[int, int], label: str) -> Operands:
    return gmpy2.mpz(pair[0]), gmpy2.mpz(pair[1]), label


_KINDS: dict[str, Callable[[Multiplier, int], list[Series]]] = {
    "mixed": _mixed,
    "random": lambda multiplier, seed: [_random(multiplier, seed)],
    "edge": lambda multiplier, seed: [_edge(multiplier, seed)],
    "runs": lambda multiplier, seed: [_runs(multiplier, seed)],
    "lazy": _lazy,
    CHAINED: lambda multiplier, seed: [Series((), Made(lambda first: _chained(multiplier, seed, first)))],
}
_OfWords = Callable[[Multiplier, int, int, Sequence[int]], Iterator[Operands]]
_OF_WORDS: dict[str, _OfWords] = {EVENTS: _events, DIRECTED: _directed}
"""Kinds with mechanisms of hardware, in limbs of some widths."""
