# SPDX-License-Identifier: Apache-2.0
"""A scoreboard for testbenches of one's own: cocotb, or anything else in Python."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from limbtrace._core import Core
from limbtrace._multiplier import Multiplier, Operand, Trace
from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.report import Divergence as Divergence

SHOWN = 8
"""Rows shown up to a difference."""


class MismatchError(AssertionError):
    """The core under test differs from its model; `divergence` is the difference, the message says all of it."""

    def __init__(self, divergence: Divergence) -> None:
        table = divergence.table()
        b = "" if divergence.b is None else f"\n  b = {divergence.b}"
        super().__init__(f"{divergence.sentence()}\n  a = {divergence.a}{b}" + (f"\n{table}" if table else ""))
        self.divergence = divergence


@dataclass
class _PendingProduct:
    """A product that the core has been given."""

    case: int
    trace: Trace
    table: list[tuple[int | None, ...]]
    steps: dict[str, int] = field(default_factory=dict)
    """Steps of each name that were seen."""
    rows: list[list[str]] = field(default_factory=list)
    """The last rows that were seen."""
    cycle: int = 0
    """Rows that were seen."""


def scoreboard(mul: Multiplier, core: Core | None = None) -> "Scoreboard":
    """A scoreboard for products of a multiplier; with a core, its cycle table is compared too. Raises ParameterError.

    Only for cores that finish a product before they start the next one can rows be compared.
    """
    return Scoreboard(mul, core)


class Scoreboard:
    """Compares what a core shows with its model, product after product, and raises MismatchError at a difference.

    `expect` is called for each product that goes into the core. Then `result` compares its result, `step` the next step
    of a name, and `row` the signals of the next clock cycle; what is not called is not compared. Values may be
    integers, or anything that has an integer, such as values of cocotb; one with x or z bits is a difference.

        >>> import limbtrace as lt
        >>> board = lt.scoreboard(lt.multiplier("iddmm2", 13, 4))
        >>> board.expect(7, 11)
        >>> board.step("q", 3)  # q[0, 0]
        >>> board.step("q", 3)  # q[1, 0]
        >>> board.result(17)
        >>> board.finish()
        1
    """

    def __init__(self, mul: Multiplier, core: Core | None = None) -> None:
        self.multiplier, self.core = mul, core
        self._columns: list[tuple[str, str]] = []
        if core is not None:
            table = core.cycles(mul, [(0,) if mul.resolved.model.unary else (0, 0)])
            if table.request.core.architecture.overlap is not None:
                raise ParameterError("core", f"products of {core.id} overlap, and rows are compared product by product")
            self._columns = [(column.name, column.kind) for column in table.request.columns]
        self._waiting: deque[_PendingProduct] = deque()
        self._given = self._verified = 0

    def expect(self, a: Operand, b: Operand | None = None) -> None:
        """A product goes into the core. Raises ParameterError for an operand out of range."""
        pair = self.multiplier._operands(a, b)
        given = self.multiplier.resolved.model.given(*pair)
        trace = self.multiplier.trace(*given)
        rows = [] if self.core is None else self.core.cycles(self.multiplier, [given]).rows
        self._waiting.append(_PendingProduct(self._given, trace, rows))
        self._given += 1

    def result(self, value: Any, *, residue: bool = False) -> None:
        """The result of the oldest product; with `residue` it need only be congruent. That product is finished then.

        All steps of names of which some were compared must have been seen by now, and all rows if any were.
        """
        product = self._oldest()
        wanted = product.trace.residue if residue else product.trace.result
        seen, text = _integer(value)
        if seen is None or (self.multiplier.residue(seen) if residue else seen) != wanted:
            self._differs(product, "result", f"{wanted:#x}", text)
        for name, count in product.steps.items():
            steps = product.trace.named(name)
            if count < len(steps):
                self._differs(product, name, f"{steps[count].value:#x}", None, (name, steps[count].subscripts))
        if 0 < product.cycle < len(product.table):
            self._differs(product, "result", "more cycles", text)
        self._waiting.popleft()
        self._verified += 1

    def step(self, name: str, value: Any) -> None:
        """The next step of that name of the oldest product: call it where the core says that the value is there."""
        product = self._oldest()
        steps, count = product.trace.named(name), product.steps.get(name, 0)
        if not steps:
            raise ParameterError("step", f"{self.multiplier.model} has no {name}: {', '.join(product.trace.names)}")
        product.steps[name] = count + 1
        seen, text = _integer(value)
        if count >= len(steps):
            self._differs(product, name, None, text)
        elif seen != steps[count].value:
            self._differs(product, name, f"{steps[count].value:#x}", text, (name, steps[count].subscripts))

    def row(self, signals: Mapping[str, Any]) -> None:
        """Signals of the next cycle of the oldest product, by their names in the cycle table; those given are compared.

        A register is given as it is after the edge that ends the cycle, another signal as it is during it.
        """
        if self.core is None:
            raise ParameterError("core", "the scoreboard has none: scoreboard(mul, core) compares rows")
        product, names = self._oldest(), [name for name, _ in self._columns]
        for name in signals:
            if name not in names:
                raise ParameterError("row", f"{self.core.id} has no signal {name}: {', '.join(names)}")
        read = {name: _integer(value) for name, value in signals.items()}
        shown = [read[name][1].removeprefix("0x") if name in read else "" for name in names]
        product.rows = [*product.rows, [str(product.cycle), *shown]][-SHOWN:]
        if product.cycle >= len(product.table):
            self._differs(product, names[0], None, "a row after the last one", cycle=product.cycle)
        golden = product.table[product.cycle]
        order = sorted(range(len(names)), key=lambda k: self._columns[k][1] == "register")  # what is computed first
        for k in order:
            wanted, name = golden[k], names[k]
            if wanted is not None and name in read and read[name][0] != wanted:
                self._differs(product, name, f"{wanted:#x}", read[name][1], cycle=product.cycle)
        product.cycle += 1

    def finish(self) -> int:
        """The number of products that agree; to be called at the end. Raises MismatchError if one has no result."""
        if self._waiting:
            self._differs(self._waiting[0], "result", f"{self._waiting[0].trace.result:#x}", "none")
        return self._verified

    def _oldest(self) -> _PendingProduct:
        if not self._waiting:
            raise ParameterError("product", "the core shows something, and was given no product: call expect first")
        return self._waiting[0]

    def _differs(
        self, product: _PendingProduct, signal: str, expected: str | None, seen: str | None,
        step: tuple[str, tuple[int, ...]] | None = None, cycle: int | None = None,
    ) -> None:  # fmt: skip
        trace = product.trace
        raise MismatchError(
            Divergence(
                case=product.case,
                a=f"{trace.a:#x}",
                b=None if self.multiplier.resolved.model.unary else f"{trace.b:#x}",
                cycle=cycle,
                signal=signal,
                step=step,
                expected=expected,
                seen=seen,
                columns=[name for name, _ in self._columns] if product.rows else (),
                rows=product.rows,
                where="before the result" if seen is None else "at the end" if seen == "none" else "when it is shown",
            )
        )


def _integer(value: Any) -> tuple[int | None, str]:
    """A value as an integer, None if it is none, and as text."""
    try:
        return (number := int(value)), f"{number:#x}"
    except (TypeError, ValueError):
        return None, str(value)
