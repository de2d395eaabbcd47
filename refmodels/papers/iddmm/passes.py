# SPDX-License-Identifier: Apache-2.0
"""Common parts of the two architectures of the IDDMM paper: timing of the digits, accumulator, cycle counts."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from limbtrace.refmodels.architecture import At, Column, Control, Cost, Shape, signal
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Model, Step
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm.figures import FIGURES
from limbtrace.refmodels.settings import Parameter, Settings

OWN_PARAMETERS = (
    Parameter("pipeline", "levels of registers: behind the multipliers, and behind their adders", "0", "0 to 2"),
)


def own(params: iddmm.Iddmm, settings: Settings) -> dict[str, int]:
    """The pipeline levels. Raises ParameterError."""
    levels = settings.integer("pipeline", 0, 0, 2)
    if levels == 2 and params.digits == 1:
        raise ParameterError(
            "pipeline", "2 levels need n >= 2: the next quotient digit would not wait for a single digit"
        )
    return {"pipeline": levels}


def micro_steps(model: Model) -> Callable[[Shape, list[Digit], list[Digit]], Iterator[Step]]:
    """The steps of a model; with pipeline levels, each q is followed by the products PX and PR of that pass."""

    def steps(shape: Shape, X: list[Digit], Y: list[Digit]) -> Iterator[Step]:
        plain = model.steps(shape.params, X, Y)
        return _with_products(shape.params, X, Y, plain) if shape.own["pipeline"] else plain

    return steps


def _with_products(params: iddmm.Iddmm, X: list[Digit], Y: list[Digit], steps: Iterator[Step]) -> Iterator[Step]:
    p = [*params.modulus_digits, 0]
    for name, index, value in steps:
        yield name, index, value
        if name == "q":
            i, _ = index
            for j in range(params.digits + 1):
                yield "PX", (i, j), X[j] * Y[i]
                yield "PR", (i, j), value * p[j]


class Passes:
    """Cycle -> subscripts, with 0, 1 or 2 pipeline levels.

    Pass i takes n + 2 + levels cycles. Digit 0 is addressed in local cycles t = 0 .. levels, at the end of which q is
    loaded, and again in t = levels + 1 to be processed; from then on one digit follows per cycle. With one level there
    are registers between the multipliers and the adders S and R (stage 1); with two levels there are also registers
    between these and the adder U (stage 2). The last stages of a pass overlap the first cycles of the next one.
    """

    def __init__(self, shape: Shape) -> None:
        params: iddmm.Iddmm = shape.params
        self.k, self.n, self.passes, self.levels = (
            params.radix_bits,
            params.digits,
            params.passes,
            shape.own["pipeline"],
        )
        self.period = self.n + 2 + self.levels
        self.adders = min(self.levels, 1)
        """Stage of the adders S and R; that of the adder U is `levels`."""

    def _real(self, cycle: int) -> tuple[int, int]:
        """Pass, and number of the digit processed in it; below 0 while q is computed."""
        i, t = divmod(cycle, self.period)
        return i, t - self.levels - 1

    def addressed(self, stage: int, step: int = 0) -> At:
        """The digit at that stage (or the one `step` further), digit 0 while q is computed."""

        def at(cycle: int) -> Index | None:
            i, j = self._real(cycle - stage)
            return (i, max(j, 0) + step) if 0 <= i < self.passes else None

        return at

    def digit(self, stage: int, step: int = 0) -> At:
        """The digit at that stage (or the one `step` further); don't care while q is computed."""

        def at(cycle: int) -> Index | None:
            i, j = self._real(cycle - stage)
            return (i, j + step) if 0 <= i < self.passes and j >= 0 else None

        return at

    def carry(self, stage: int) -> At:
        """A carry in the register after that stage, which is cleared at the end of digit n."""

        def at(cycle: int) -> Index:
            i, j = self._real(cycle - stage)
            return (i, max(j + 1, 0) % (self.n + 1)) if i < self.passes else (i - 1, 0)

        return at

    def quotient(self, cycle: int) -> Index:
        """The quotient digit in its register."""
        return min((cycle - self.levels) // self.period, self.passes - 1), 0

    def top(self, cycle: int) -> Index:
        """Digit n of the accumulator in its register."""
        return (cycle - self.levels + 1) // self.period, self.n

    def _written(self, cycle: int) -> Index | None:
        i, j = self._real(cycle - self.levels)
        return (i + 1, j - 1) if i >= 0 and j > 0 else None

    @property
    def write_port(self) -> tuple[Column, ...]:
        """Enable, address and data of the accumulator's memory."""

        def address(cycle: int) -> int | None:
            written = self._written(cycle)
            return None if written is None else written[1]

        return (
            Control("A_we", 1, "combinational", lambda c: int(self._written(c) is not None)),
            Control("A_addr", self.n.bit_length(), "combinational", address),
            signal("A", self.k, "combinational", "A", self._written),
        )

    def levels_of(self, second: tuple[Column, ...]) -> tuple[Column, ...]:
        """The registers of the existing levels: those after the multipliers and of the digit of A, then `second`."""
        first = (
            signal("PX", 2 * self.k, "register", "PX", self.addressed(0)),
            signal("PR", 2 * self.k, "register", "PR", self.digit(0)),
            signal("AD", max(self.k, 2), "register", "A", self.addressed(0)),
        )
        return (*first, *second)[: (0, 3, 5)[self.levels]]


def cycles(shape: Shape) -> int:
    """T(n + 2 + pipeline) cycles, plus one per level until the last digit is in the accumulator."""
    at = Passes(shape)
    return at.passes * at.period + at.levels


def interval(shape: Shape) -> int:
    """A start is taken in the cycle of done."""
    return cycles(shape) + 1


def _levels(shape: Shape) -> int:
    """Bits of the registers of the pipeline levels."""
    return (0, 5, 9)[shape.own["pipeline"]] * int(shape.params.radix_bits)


def registers(carries: str, bits: Callable[[int], int]) -> Cost:
    """Register bits of the datapath, given the width of the carries for k."""
    return Cost(
        "registers",
        "bits",
        f"{carries}, q: k, A_n: 2; level 1: 5k, level 2: 4k",
        lambda shape: bits(shape.params.radix_bits) + shape.params.radix_bits + 2 + _levels(shape),
    )


COSTS = (
    Cost("cycles", "clock cycles", "T(n + 2 + pipeline) + pipeline", cycles),
    Cost("multipliers", "k x k", "X_j*Y_i, q*p_j, p'*S_0 (low half)", lambda shape: 3),
)

_IMPLEMENTED = "This work Arch2-Ver4"
"""The implementation whose area the paper prints: architecture 2, pipelined, multipliers in DSP blocks."""


def published(architecture: int) -> dict[str, dict[str, Any]]:
    """The printed figures of architecture 1 or 2, by the cost they belong to; areas are those of architecture 2."""
    figures = [figure for figure in FIGURES.rows if figure.design.startswith(f"Arch{architecture} ")]

    def by_level(metric: str) -> str:
        return ", ".join(figure.value for figure in figures if figure.metric == metric)

    cycles = [f for f in FIGURES.rows if f.table == 4 and f.metric == "clock cycles"]
    blocks = {f.k or 0: f.value for f in FIGURES.rows if f.design == _IMPLEMENTED and f.metric == "multipliers"}
    found: dict[str, dict[str, Any]] = {
        "cycles": {
            f"{cycles[0].bits} bits, k = {_listed(f.k for f in cycles)}": [int(f.value) for f in cycles],
            "0, 1, 2 levels": f"{by_level('clock cycles')}, without the cycles in which the levels run empty",
        },
        "multipliers": {f"18 x 18 or DSP48E, k = {_listed(sorted(blocks))}": [int(blocks[k]) for k in sorted(blocks)]},
        "registers": {"0, 1, 2 levels, without q and A_n": by_level("1-bit registers").split(", ")},
    }
    if architecture == 2:
        found["area"] = {}
        for f in FIGURES.rows:
            if f.design == _IMPLEMENTED and f.table == 7 and (name := f.metric.removeprefix("area: ")) != f.metric:
                design = f"{f.bits} bits, k = {f.k}, pipelined, {FIGURES.beside(f, 'platform')}"
                found["area"].setdefault(design, {})[name] = int(f.value)
    return found


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
