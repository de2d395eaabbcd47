# SPDX-License-Identifier: Apache-2.0
"""The products of a run: the operands that a core is given, and golden data, computed here or by a service."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Protocol, TypeVar

from limbtrace.refmodels.architecture import Architecture, Batch, Plan, Shape, TableProduct, TimedPair
from limbtrace.refmodels.batch_digits import integers
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.model import Index
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.golden_rows import GoldenRows
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.mode import mode
from limbtrace.rtl_bridge.run.products import BatchTable, ExpectedStream
from limbtrace.rtl_bridge.run.signed_operands import SignedPairs
from limbtrace.vectors.cycles import CycleRequest, parse_job
from limbtrace.vectors.operands import pairs
from limbtrace.vectors.request import DIRECTED, EVENTS, EXHAUSTIVE, CoreRequest, VectorRequest, of_words
from limbtrace.vectors.sets import VectorSet

if TYPE_CHECKING:
    from limbtrace.vectors.client import Client

ModelSteps = Sequence[tuple[str, Index, int]]
T = TypeVar("T")
FEW, MANY = 8, 64
"""Products whose steps are sooner computed one by one, and streams whose steps are computed together."""


@dataclass(frozen=True)
class Stimulus:
    """The products of a job for a bound core, in streams of `size`; the last one is filled."""

    job: Job
    bound: Bound
    skipped: int = 0
    """Streams in front of them that are not simulated."""

    @property
    def size(self) -> int:
        """Products of a stream."""
        return len(self.bound.starts)

    @property
    def origin(self) -> int:
        """The first case that is asked for: that of a whole stream."""
        return (self.job.only or 0) // self.size * self.size

    @property
    def first(self) -> int:
        """The first case to be simulated."""
        return self.origin + self.skipped * self.size

    @property
    def products(self) -> int:
        """Products to be simulated: those asked for, without what fills the last stream."""
        end = self.job.cases if self.job.only is None else min(self.origin + self.size, self.job.cases)
        return end - self.first

    @property
    def streams(self) -> int:
        """Streams to be simulated."""
        return -(-self.products // self.size)

    @property
    def end(self) -> int:
        """The case after the last one to be simulated."""
        return self.first + self.products

    @property
    def overlaps(self) -> bool:
        """True if the core follows a schedule in which products overlap."""
        return _overlaps(self.bound)

    @cached_property
    def request(self) -> VectorRequest:
        """The cases up to the last one to be simulated, where operands are drawn."""
        return drawn_request(self.job, self.bound, self.end)

    def given(self) -> list[TimedPair]:
        """The operands that were given, of the products to be simulated. Raises ParameterError("operands")."""
        return given(self.job, self.bound)[self.first : self.end]

    @property
    def asked(self) -> VectorRequest:
        """The cases to be simulated, where operands are drawn."""
        return self.request.range(self.first, self.products)

    def pairs(self) -> Iterator[TimedPair]:
        """Operands of every product to be simulated, streams full."""
        return self.filled(self.given() if self.job.operands else self.drawn(), TimedPair(0, 0))

    def drawn(self) -> Iterator[TimedPair]:
        """Operands to be simulated. Those beyond what it is given are reduced to it, the largest to the largest; those
        of signed operands become other numbers with their residues."""
        drawn: Iterator[TimedPair] = (TimedPair(a, b) for a, b in pairs(self.asked))
        if not self.bound.narrowed:
            return drawn
        if self.request.kind != EXHAUSTIVE:  # which has none beyond
            drawn = self._reduced(drawn)
        return SignedPairs(self.asked, self.bound.signed, self.bound.limits).of(drawn) if self.bound.signed else drawn

    def _reduced(self, drawn: Iterator[TimedPair]) -> Iterator[TimedPair]:
        (a_most, b_most), (a_limit, b_limit) = self.bound.multiplier.params.limits, self.bound.limits
        return (
            TimedPair(
                a_limit if pair.a == a_most else pair.a % (a_limit + 1),
                b_limit if pair.b == b_most else pair.b % (b_limit + 1),
            )
            for pair in drawn
        )

    def filled(self, products: Iterable[T], filler: T) -> Iterator[T]:
        """The products to be simulated, and `filler` as often as the last stream has room."""
        return chain(products, repeat(filler, -self.products % self.size))


def drawn_request(job: Job, bound: Bound, count: int | None) -> VectorRequest:
    """The first `count` cases that a job asks for; None: as many as there are by default. Raises ParameterError."""
    own = mode(job.mode)
    if count is not None and count > own.max_products:
        raise ParameterError(
            "count", f"mode {job.mode} takes 1 to {own.max_products} products, not {shown(count)}: {own.why_max}"
        )
    kind = job.kind
    if kind in (DIRECTED, EVENTS) and bound.limbs:
        kind = of_words(kind, bound.limbs)
    limits = bound.numbers_of_all
    return VectorRequest.resolve(bound.multiplier, count, job.seed, kind, own.max_products, limits=limits)


def given(job: Job, bound: Bound) -> list[TimedPair]:
    """The operands that a job gives. Raises ParameterError("operands")."""
    multiplier, found = bound.multiplier, []
    for text in job.operands:
        pair = _signed(bound, parse_job(multiplier, text), text)
        if pair.start is not None and not (bound.protocol.timed and _overlaps(bound)):
            why = "only word-serial cores with a schedule take one"
            raise ParameterError("operands", f"{shown(text)} says a cycle; {why}")
        multiplier.model.check_operands(multiplier.params, pair.a, pair.b)
        for name, value, limit in zip("ab", (pair.a, pair.b), bound.limits, strict=True):
            if value > limit:
                key, below = bound.core.file.below.get(name, ("bound beside a signed operand", "p"))
                raise ParameterError("operands", f"{shown(value)} is no {name} of {bound.core.file.name}, "
                                     f"whose {key} is {below!r}")  # fmt: skip
        found.append(pair)
    return found


def _signed(bound: Bound, pair: TimedPair, text: str) -> TimedPair:
    """The operands with integers in place of negative numbers. Raises ParameterError("operands")."""
    operands = {"a": pair.a, "b": pair.b}
    for name, signed in bound.signed.items():
        if signed.least <= operands[name] < 0:
            operands[name] = signed.integer(operands[name])
        elif not 0 <= operands[name] < signed.added:
            has = f"whose numbers reach from {signed.least:#x} to {signed.most:#x}"
            raise ParameterError("operands", f"{shown(text)} has no {name} of {bound.core.file.name}, {has}")
    return pair._replace(**operands)


def timed(job: Job, bound: Bound) -> Bound:
    """The core for the stream of operands that say cycles, counted as in a cycle table. Raises ParameterError."""
    pairs = given(job, bound)
    if not job.timed:
        return bound
    assert bound.architecture is not None
    assert bound.shape is not None
    if len(pairs) > bound.products:
        most = f"{bound.core.file.name} takes {bound.products} products in a stream"
        raise ParameterError("operands", f"{most}, and there are {len(pairs)} with cycles")
    if job.stream not in (None, len(pairs)):
        raise ParameterError("stream", f"operands that say cycles are one stream of {len(pairs)}")
    shape = replace(bound.shape, starts=(0,))
    table = CycleRequest(CoreRequest(bound.architecture, bound.multiplier, shape), pairs)
    return replace(bound, starts=table.shape.starts, shape=table.shape, plan=table.plan)


def _overlaps(bound: Bound) -> bool:
    return bound.architecture is not None and bound.architecture.overlap is not None


def schedule(bound: Bound) -> tuple[Architecture, Shape, Plan]:
    """The schedule of a core that follows one."""
    assert bound.architecture is not None
    assert bound.shape is not None
    assert bound.plan is not None
    return bound.architecture, bound.shape, bound.plan


class _Source(Protocol):
    """Golden data for a stimulus. All raise ParameterError."""

    def drawn(self) -> Iterator[TableProduct]:
        """The products with drawn operands, with their results and without cycle tables."""

    def product(self, pair: TimedPair) -> TableProduct:
        """One product with its result and without a cycle table."""

    def tables(self) -> Iterator[TableProduct]:
        """Every product to be simulated, streams full, with results and cycle tables."""

    def steps(self, products: Sequence[TableProduct], names: Collection[str]) -> list[ModelSteps]:
        """The steps of these names, of each product, in the order of the loop."""


@dataclass(frozen=True)
class _Here:
    """Computed in this process, by the multiplier that was settled."""

    stimulus: Stimulus

    def drawn(self) -> Iterator[TableProduct]:
        return (TableProduct(c.a, c.b, c.result, 0, []) for c in VectorSet(self.stimulus.asked).cases())

    def product(self, pair: TimedPair) -> TableProduct:
        m = self.stimulus.bound.multiplier
        return TableProduct(pair.a, pair.b, m.model.result(m.params, pair.a, pair.b), 0, [])

    def tables(self) -> Iterator[TableProduct]:
        architecture, shape, plan = schedule(self.stimulus.bound)
        return architecture.products(shape, self.stimulus.pairs(), plan)

    def steps(self, products: Sequence[TableProduct], names: Collection[str]) -> list[ModelSteps]:
        model, params = self.stimulus.bound.multiplier.model, self.stimulus.bound.multiplier.params
        if len(products) < FEW:
            runs = (model.steps(params, *params.split(product.a, product.b)) for product in products)
            return [[(name, index, int(value)) for name, index, value in run if name in names] for run in runs]
        a, b = ([getattr(product, name) for product in products] for name in "ab")
        wanted = [step for step in model.run_batch(params, a, b) if step[0] in names]
        columns = [integers(value, len(products)) for _, _, value in wanted]
        labels = [(name, index) for name, index, _ in wanted]
        rows = zip(*columns, strict=True) if columns else repeat((), len(products))
        return [[(*label, value) for label, value in zip(labels, row, strict=True)] for row in rows]


@dataclass(frozen=True)
class _There:
    """Asked of a service. Raises ServiceError too."""

    stimulus: Stimulus
    client: "Client"

    def drawn(self) -> Iterator[TableProduct]:
        asked = self.stimulus.request
        with self.client.cases(*self._multiplier, asked.count, asked.seed, asked.kind) as found:
            for case in islice(found.cases, self.stimulus.first, None):
                yield self._checked(TableProduct(case.a, case.b, case.result, 0, []))

    def product(self, pair: TimedPair) -> TableProduct:
        trace = self.client.trace(*self._multiplier, pair.a, pair.b)
        return self._checked(TableProduct(pair.a, pair.b, trace.result, 0, []))

    def tables(self) -> Iterator[TableProduct]:
        bound = self.stimulus.bound
        architecture, _, _ = schedule(bound)
        pairs = ((pair.a, pair.b) for pair in self.stimulus.pairs())
        table = self.client.tables(architecture.id, bound.multiplier.modulus.modulus, bound.settings, pairs)
        return (self._checked(product, table=True) for product in table.products)

    def _checked(self, product: TableProduct, *, table: bool = False) -> TableProduct:
        """The product, if ports, and with a `table` signals, can have its values. Raises ServiceError."""
        from limbtrace.vectors.client import ServiceError

        bound, params = self.stimulus.bound, self.stimulus.bound.multiplier.params
        try:
            bound.multiplier.model.check_operands(params, product.a, product.b)
        except ParameterError as error:
            raise ServiceError(f"{self.client.url}: the service gives a product that there is not: {error}") from None
        fits = 0 <= product.result < params.result_limit
        if table and bound.plan is not None:
            columns = list(zip(bound.plan.columns, product.table, strict=False))
            fits &= len(columns) == len(bound.plan.columns) == len(product.table)
            fits &= all(len(cells) == bound.plan.cycles for _, cells in columns)
            fits &= all(cell is None or cell >> column.width == 0 for column, cells in columns for cell in cells)
        if not fits:
            raise ServiceError(f"{self.client.url}: the service gives values that no core of this kind has")
        return product

    def steps(self, products: Sequence[TableProduct], names: Collection[str]) -> list[ModelSteps]:
        traces = (self.client.trace(*self._multiplier, product.a, product.b).steps for product in products)
        return [[step for step in steps if step[0] in names] for steps in traces]

    @property
    def _multiplier(self) -> tuple[str, int, dict[str, str | int]]:
        multiplier = self.stimulus.bound.multiplier
        return multiplier.model.id, multiplier.modulus.modulus, multiplier.settings


@contextmanager
def source(stimulus: Stimulus) -> Iterator[_Source]:
    """The source of golden data. Raises ParameterError for an invalid address of a service."""
    if stimulus.job.service is None:
        yield _Here(stimulus)
        return
    from limbtrace.vectors.client import Client  # with all of HTTP, for which a simulator need not wait

    with Client(stimulus.job.service) as client:
        yield _There(stimulus, client)


@dataclass(frozen=True)
class Golden:
    """Expected outputs for a stimulus, in the form that the comparator takes."""

    stimulus: Stimulus
    golden_rows: GoldenRows

    @property
    def in_columns(self) -> bool:
        """True if `batches` has all of it: every signal follows a schedule, and it is computed here."""
        return self.stimulus.bound.plan is not None and self._is_here and not self.golden_rows.needs_steps

    def batches(self) -> Iterator[tuple[int, Batch]]:
        """(first case, streams in columns) of a core with a schedule, computed here."""
        first = self.stimulus.first
        architecture, shape, plan = schedule(self.stimulus.bound)
        for batch in architecture.batches(shape, self.stimulus.pairs(), plan):
            yield first, batch
            first += len(batch.a)

    def checked(self) -> Iterator[ExpectedStream]:
        """Every stream with all that the comparator looks at. Raises ParameterError, ServiceError."""
        if not self.in_columns:
            yield from self.streams(steps=self.golden_rows.needs_steps, table=True)
            return
        bound, shell, size = self.stimulus.bound, self.golden_rows.shell, self.stimulus.size
        for first, batch in self.batches():
            a, b = shell.streams("a", batch.a), shell.streams("b", batch.b)
            results = shell.streams("result", shell.results(batch.a, batch.b, batch.results))
            for at, image in enumerate(self.golden_rows.images(batch)):
                yield ExpectedStream(
                    case=first + at * size,
                    a=a[at],
                    b=b[at],
                    result=results[at],
                    table=BatchTable(batch, at),
                    steps=(),
                    image=image,
                    plan=bound.plan,
                )

    def streams(self, *, steps: bool, table: bool) -> Iterator[ExpectedStream]:
        """Every stream with its results, and with steps and cycle tables as asked for.

        Raises ParameterError, ServiceError.
        """
        first = self.stimulus.first
        with source(self.stimulus) as asked:
            products = self._products(asked, table and self.stimulus.bound.plan is not None)
            size = self.stimulus.size
            while block := list(islice(products, (MANY if steps and self._is_here else 1) * size)):
                of_each = self._steps(asked, block) if steps else repeat(())
                yield from self._expected(first, block, of_each, self.stimulus.bound.plan)
                first += len(block)

    def stream(self, spread: Bound, first: int, pairs: Sequence[TimedPair]) -> ExpectedStream:
        """One stream of the core with starts of its own, computed here; `first` is its first case."""
        here = _Here(self.stimulus)
        if spread.plan is None:
            products = list(map(here.product, pairs))
        else:
            architecture, shape, plan = schedule(spread)
            products = list(architecture.products(shape, pairs, plan))
        steps = self._steps(here, products) if self.golden_rows.needs_steps else repeat(())
        return next(self._expected(first, products, steps, spread.plan))

    @property
    def _is_here(self) -> bool:
        return self.stimulus.job.service is None

    def _steps(self, source: _Source, products: Sequence[TableProduct]) -> Iterator[ModelSteps]:
        """The steps that rows are compared with, of each stream."""
        size, each = self.stimulus.size, source.steps(products, self.golden_rows.steps)
        for at in range(0, len(products), size):
            yield [step for steps in each[at : at + size] for step in steps]

    def _products(self, source: _Source, table: bool) -> Iterator[TableProduct]:
        """Every product to be simulated, streams full."""
        if table:
            return source.tables()
        m = self.stimulus.bound.multiplier
        products: Iterator[TableProduct]
        if self.stimulus.job.operands:
            products = map(source.product, self.stimulus.given())
        elif self.stimulus.bound.narrowed:
            products = map(source.product, self.stimulus.drawn())
        else:
            products = source.drawn()
        return self.stimulus.filled(products, TableProduct(0, 0, m.model.result(m.params, 0, 0), 0, []))

    def _expected(
        self, first: int, products: Sequence[TableProduct], steps: Iterable[ModelSteps], plan: Plan | None
    ) -> Iterator[ExpectedStream]:
        """Whole streams from case `first` on, with the steps of each."""
        shell, size = self.golden_rows.shell, self.stimulus.size
        a, b, results = zip(*((product.a, product.b, product.result) for product in products), strict=True)
        joined = [shell.streams(name, values) for name, values in
                  (("a", a), ("b", b), ("result", shell.results(a, b, results)))]  # fmt: skip
        for at, (of_a, of_b, result, found) in enumerate(zip(*joined, steps, strict=False)):
            yield ExpectedStream(
                case=first + at * size,
                a=of_a,
                b=of_b,
                result=result,
                table=products[at * size].table or None,
                steps=found,
                plan=plan,
            )
