# SPDX-License-Identifier: Apache-2.0
"""R2MM with an accumulator as wide as the modulus and one bit of X per cycle: the IDDMM paper's starting point."""

from collections.abc import Iterator

from limbtrace.refmodels.architecture import Architecture, Column, Cost, Shape, signal
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm.r2mm import MODEL, R2mm
from limbtrace.refmodels.settings import Parameter, Settings

OWN_PARAMETERS = (Parameter("w", "bits of the words in which operands come and the result goes", "32", "2 to 64"),)


def own(params: R2mm, settings: Settings) -> dict[str, int]:
    """The width of the ports. Raises ParameterError."""
    return {"w": settings.integer("w", 32, 2, 64)}


def steps(shape: Shape, x: list[Digit], Y: Digit) -> Iterator[Step]:
    """The steps of the model; T and S continue in the cycle of the subtraction: T_N is S_(N-1), S_N is Z."""
    n = shape.params.bits
    for name, index, value in MODEL.steps(shape.params, x, Y):
        yield name, index, value
        if (name, index) == ("S", (n - 1,)):
            yield "T", (n,), value
        elif name == "Z":
            yield "S", (n,), value


def columns(shape: Shape) -> tuple[Column, ...]:
    """The watched signals: the accumulator, both bits of a cycle, the first adder, the comparison.

    The second adder, T + q*p, is seen as the value that it loads into S.
    """
    n = shape.params.bits

    def every(cycle: int) -> Index:
        return (cycle,)

    def bit(cycle: int) -> Index | None:
        return (cycle,) if cycle < n else None

    return (
        signal("S", n + 1, "register", "S", every),
        signal("x", 1, "combinational", "x", bit),
        signal("T", n + 2, "combinational", "T", every),
        signal("q", 1, "combinational", "q", bit),
        signal("sub", 1, "combinational", "sub", lambda cycle: None if cycle < n else ()),
    )


def cycles(shape: Shape) -> int:
    """One cycle for each bit of X, and one for the subtraction."""
    return int(shape.params.bits) + 1


ARCHITECTURE = Architecture(
    id="r2mm_bitserial",
    title="R2MM, a bit of X a cycle",
    source=iddmm.paper("figure 1"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: cycles(shape) + 1,  # a start is taken in the cycle of done
    costs=(
        Cost("cycles", "clock cycles", "N + 1", cycles),
        Cost("adders", "bits", "T, T + q*p: N + 2 each", lambda shape: 2 * (shape.params.bits + 2)),
        Cost("registers", "bits", "S: N + 1, without those that hold Y and p", lambda shape: shape.params.bits + 1),
    ),
    published={
        "cycles": {"iterations, without the subtraction": "N"},
        "area": {"512 bits, bit-serial, other work [5], Virtex-5": {"slices": 957}},
    },
)
