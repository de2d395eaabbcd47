# SPDX-License-Identifier: Apache-2.0
"""Products of a model at parameters: run alone or in batches, to see which events happen in them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Generic

import numpy as np

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.event import Observed, Pair
from limbtrace.refmodels.event_search.places import P, Place
from limbtrace.refmodels.factors import radical, splits
from limbtrace.refmodels.model import CORRECTED, Model

MOST_STEPS = 50_000
"""Steps of a product up to which products are run to look for events."""
SHORT_PRODUCT = 4096
"""Steps of a product up to which running it costs little: all candidates are run, and so are all pairs of the pool."""
MOST_VALUES = 1 << 22
"""Values of steps that are kept at once, for memory."""
MOST_ROWS = 1024
"""Products that are run together at most."""
LEAST_ROWS = 16
MOST_RUN_ALONE = 10
"""Products up to which each is run on its own: a batch costs as much as about that many, nearly whatever its size."""
POOL_PAIRS = 512
"""Drawn pairs that are tried for what no candidate made happen, beside the corners of the model."""
MOST_PAIRS = 1 << 16
"""Pairs of operands up to which all of them are tried."""


class Products(Generic[P]):
    """Products of a model at parameters."""

    def __init__(self, model: Model[P], params: P) -> None:
        self.model, self.params = model, params
        self.a_max, self.b_max = params.limits
        self.steps = model.work(params)
        # What is known of a product without its steps holds for the corrected forms.
        self.proved = params.form == CORRECTED and (params.closed or model.by_digits)

    @property
    def may_run(self) -> bool:
        """True if products are short enough to be run."""
        return self.steps <= MOST_STEPS

    @property
    def short(self) -> bool:
        """True if running a product costs little."""
        return self.steps <= SHORT_PRODUCT

    @property
    def exhaustible(self) -> bool:
        """True if all operands can be tried."""
        return (self.a_max + 1) * (self.b_max + 1) <= MOST_PAIRS and self.may_run

    @property
    def rows(self) -> int:
        """Products that are run together."""
        return max(LEAST_ROWS, min(MOST_ROWS, MOST_VALUES // self.model.step_count(self.params)))

    def judges(self, place: Place[P]) -> bool:
        """True if no product has to be run for the event there."""
        return self.proved and place.event.closed is not None

    def accepts(self, pair: Pair) -> bool:
        """True if the operands are in range."""
        a, b = pair
        largest_b = self.model.largest_b
        fits = 0 <= a <= self.a_max and 0 <= b <= self.b_max
        return fits and (largest_b is None or b <= largest_b(self.params, a))

    def observed(self, a: Sequence[int], b: Sequence[int]) -> Observed[P]:
        """These products, run as a batch, or one by one if they are few."""
        if len(a) <= MOST_RUN_ALONE:
            return Observed.of_runs(
                self.params, [self.model.run(self.params, *pair) for pair in zip(a, b, strict=True)]
            )
        steps = self.model.run_batch(self.params, a, b)
        return Observed.run(self.params, a, b, steps, lambda: self.model.result_of(self.params, steps))

    def batches(self, pairs: Iterable[Pair], rows: int) -> Iterator[Observed[P]]:
        """The products of these pairs, so many at a time, run when they are asked for."""
        pairs = iter(pairs)
        return (self.observed(*zip(*chunk, strict=True)) for chunk in iter(lambda: list(islice(pairs, rows)), []))

    @cached_property
    def everything(self) -> list[Observed[P]]:
        """All products of these parameters."""
        pairs = ((a, b) for a in range(self.a_max + 1) for b in range(self.b_max + 1))
        return list(self.batches(filter(self.accepts, pairs), self.rows))


class ProductPool(Generic[P]):
    """The corners of a model, drawn pairs, and pairs whose product is a multiple of a composite modulus.

    They are run once, for every event that no candidate made happen.
    """

    def __init__(self, products: Products[P], draw: Draw, draw_multiples: Draw) -> None:
        self._products, self._draw, self._draw_multiples = products, draw, draw_multiples
        self._seen: list[Observed[P]] = []

    def first(self, place: Place[P]) -> Pair | None:
        """The first pair that makes the event happen; in closed form where a run takes long."""
        event = place.event
        if event.closed is None or not self._products.proved or self._products.short:
            return first_hit(self._run, place)
        params = self._products.params
        pairs = chain(*self._pairs, self._multiples)
        return next((pair for pair in pairs if event.closed(params, place.index, *pair)), None)

    @property
    def _run(self) -> Iterator[Observed[P]]:
        """All of the pool, as far as it is asked for."""
        yield from self._seen
        for seen in self._unseen:
            self._seen.append(seen)
            yield seen

    @cached_property
    def _unseen(self) -> Iterator[Observed[P]]:
        """The rest of the pool. Long products of corners are run one at a time, since one of the first ones may do."""
        corners, drawn = self._pairs
        rows = self._products.rows
        corner_rows = rows if self._products.short else 1
        own = self._products.batches(corners, corner_rows), self._products.batches(drawn, rows)
        return chain(*own, self._products.batches(self._multiples, rows))

    @cached_property
    def _pairs(self) -> tuple[list[Pair], list[Pair]]:
        """Corners of the model, and pairs of drawn operands."""
        products, draw = self._products, self._draw
        a_max, b_max, width = products.a_max, products.b_max, products.params.radix_bits or 8
        corners = [
            (corner.a, corner.b)
            for corner in products.model.corners(products.params)
            if (chosen_digits(corner.a) or chosen_digits(corner.b)) is None
        ]
        drawn = [(draw.pattern(a_max, width), draw.pattern(b_max, width)) for _ in range(POOL_PAIRS // 2)]
        drawn += [(draw.of_any_width(a_max), draw.of_any_width(b_max)) for _ in range(POOL_PAIRS // 2)]
        return list(filter(products.accepts, corners)), list(filter(products.accepts, drawn))

    @property
    def _multiples(self) -> Iterator[Pair]:
        """Operands that have the factors of the modulus between them; none for a prime, or where all pairs are tried.

        They come last, so that whatever other pairs make happen keeps its operands.
        """
        products = self._products
        modulus = int(products.params.modulus)
        if products.exhaustible or modulus < 2:
            return
        for pair in multiples(modulus, products.a_max, products.b_max, self._draw_multiples):
            if products.accepts(pair):
                yield pair


def first_hit(batches: Iterable[Observed[P]], place: Place[P]) -> Pair | None:
    """The operands of the first product in which the event happens."""
    for seen in batches:
        holds = seen.holds(place.event, place.index)
        if holds.any():
            k = int(np.argmax(holds))
            return int(seen.a[k]), int(seen.b[k])
    return None


def multiples(modulus: int, a_max: int, b_max: int, draw: Draw) -> Iterator[Pair]:
    """Operands other than 0 and the modulus whose product, or the square of a where b is 0, is a multiple of it."""
    for first, second in splits(modulus):
        for low, high in ((first, second), (second, first)):
            if low <= a_max and high <= b_max:
                yield low, high
                yield low * draw.between(1, a_max // low), high * draw.between(1, b_max // high)
    if b_max == 0 and (root := radical(modulus)) < modulus:
        yield root, 0
        yield from ((root * draw.between(1, a_max // root), 0) for _ in range(2) if root <= a_max)
