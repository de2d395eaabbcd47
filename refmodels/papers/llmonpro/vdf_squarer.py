# SPDX-License-Identifier: Apache-2.0
"""A chain of squarings on the datapath of the core llmonpro; x is loaded and y is read word by word.

Product 0 is x times R^2 mod M, products 1 to t are the squarings, product t + 1 is the last value times 1. Then the
carries of the digits are resolved and M is subtracted, one digit per cycle; the last borrow selects y from the two.
"""

from collections.abc import Iterator

from limbtrace.refmodels.architecture import Architecture, Column, Cost, Shape, signal
from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.llmonpro import datapath
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro.llmonpro import algorithm as multiplication
from limbtrace.refmodels.papers.llmonpro.vdf import MODEL
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import Vdf
from limbtrace.refmodels.settings import Parameter, Settings

OWN_PARAMETERS = (
    datapath.CYCLES,
    Parameter("w", "bits of the words in which operands come and the result goes", "32", "2 to 64"),
)


def chain(params: Vdf, settings: Settings) -> dict[str, int]:
    """Cycles of a squaring, 1 to 7. Raises ParameterError, also if x is converted before the chain."""
    if not params.entry:
        raise ParameterError("entry", "0: x enters the chain in this core, by a product with R^2 mod M")
    return datapath.unshared(params, settings)


def own(params: Vdf, settings: Settings) -> dict[str, int]:
    """Cycles of a squaring, and width of a word on the ports in bits. Raises ParameterError."""
    return {**chain(params, settings), "w": settings.integer("w", 32, 2, 64)}


def steps(shape: Shape, x: list[Digit], _: None) -> Iterator[Step]:
    """A, B and the steps of every product, its number as first subscript; then those of the resolution, and y."""
    params: Vdf = shape.params
    d, k, t = params.radix_bits, params.k, params.t
    M = params.factors[1]
    one = [1, *[0] * k]
    A, B = list(x), list[Digit](params.to_domain)
    for i in range(t + 2):
        yield from (("A", (i, j), digit) for j, digit in enumerate(A))
        yield from (("B", (i, j), digit) for j, digit in enumerate(B))
        Z: list[Digit] = []
        for name, index, value in multiplication.steps(params, A, B):
            if name == "Z":
                Z.append(value)
            yield name, (i, *index), value
        A, B = Z, one if i == t else Z
    carry: Digit = 0
    borrow: Digit = 0
    resolved, difference = [], []
    for j in range(k):
        total = A[j] + carry
        carry = total >> d
        resolved.append(total & (params.radix - 1))
        above = resolved[j] + 2 * params.radix - M[j] - borrow
        borrow = above >> d & 1  # `above` is 2 * radix or more without a borrow
        difference.append(above & (params.radix - 1))
        yield "resolved", (j,), total
        yield "difference", (j,), borrow * params.radix + difference[j]
    y = [borrow * r + (1 - borrow) * e for r, e in zip(resolved, difference, strict=True)]
    yield "y", (), join(y, d)


def columns(shape: Shape) -> tuple[Column, ...]:
    """Both operand registers, the datapath, and the resolution, during which the registers shift."""
    params: Vdf = shape.params
    d, k, count, cycles = params.radix_bits, params.k, params.t + 2, shape.own["cycles"]

    def product(row: int) -> Index | None:
        return (row // cycles,) if 0 <= row < count * cycles else None

    def digit(row: int) -> Index | None:
        return (row - count * cycles,) if row >= count * cycles else None

    return (
        datapath.vector("A", "register", d + 1, range(k + 1), lambda row: product(row + 1)),
        datapath.vector("B", "register", d + 1, range(k + 1), lambda row: product(row + 1)),
        *datapath.datapath(params, cycles, product),
        signal("resolved", d + 1, "combinational", "resolved", digit),
        signal("difference", d + 1, "combinational", "difference", digit),
    )


def cycles(shape: Shape) -> int:
    """Clock cycles of t + 2 products, and one for each digit of the result."""
    params: Vdf = shape.params
    return (params.t + 2) * shape.own["cycles"] + params.k


ARCHITECTURE = Architecture(
    id="vdf_squarer",
    title="x^(2^t), a squaring in every cycle or in a few",
    source=llmonpro.paper("section 4"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: cycles(shape) + 1,  # a start is taken in the cycle of done
    costs=(
        Cost("cycles", "clock cycles", "t*cycles + overhead", cycles),
        Cost("overhead", "clock cycles", "2*cycles + k: into the domain, out of it, and a cycle a digit; without the "
             "words of operands and result", lambda shape: 2 * shape.own["cycles"] + shape.params.k),
        Cost("multipliers", "digit products", "(k+1)^2 + k(k+1)/2 + k^2, less (k-4)(k-3)/2 from k = 5 on",
             datapath.digit_products),
    ),
    published={
        "cycles": {"t = 10000, n = 128, 256, 512, and 1024 with 16 cycles a squaring": [10086, 10103, 10137, 160144]},
        "overhead": {"n = 128, 256, 512, 1024": [86, 103, 137, 144]},
        "multipliers": {"DSP blocks, d = 16, n = 128, 256, 512": [181, 621, 2269]},
    },
    defaults=lambda _: {"entry": 1},
)  # fmt: skip
