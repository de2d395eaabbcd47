# SPDX-License-Identifier: Apache-2.0
"""The schedule of `serial_toy`: two units behind one pair of ports, a slow one and a fast one that overtakes it."""

from collections.abc import Callable, Iterator, Sequence

from limbtrace.refmodels.architecture import Architecture, Column, Control, Overlap, Shape, signal
from limbtrace.refmodels.batch_digits import Digit, as_limbs, join
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.fpmm.cios import MODEL


def first_out(shape: Shape, start: int) -> int:
    """Row of the first result word of a product that starts in the given row."""
    s: int = shape.params.digits
    return start + (2 if start % (4 * s) else 4) * s


def whole(digits: Sequence[Digit], bits: int) -> Digit:
    """The integer, or the column of integers, with these digits."""
    value = join(digits, bits)
    return value if isinstance(value, int) else as_limbs(value)


def steps(shape: Shape, a: Sequence[list[Digit]], b: Sequence[list[Digit]]) -> Iterator[Step]:
    """For every product its quotient digits, the corresponding T, and the words of the last T."""
    params = shape.params
    w, low = params.radix_bits, params.radix - 1
    for k, (x, y) in enumerate(zip(a, b, strict=True)):
        t: Digit = 0
        for i in range(params.digits):
            row = t + whole(y, w) * whole(x[i : i + 1], w)
            q = ((row & low) * params.digit_inverse) & low
            yield "q", (k, i), q
            t = (row + q * params.modulus) >> w
            yield "T", (k, i), t
        for j in range(params.digits):
            yield "r", (k, j), (t >> (w * j)) & low


def columns(shape: Shape) -> tuple[Column, ...]:
    """The state of the units, from the rows in which products start."""
    s, w = shape.params.digits, shape.params.radix_bits

    def latest(unit: int, row: int) -> tuple[int, int] | None:
        """The last product that this unit has begun by that row, and the rows since then."""
        begun = [
            (k, row - start - s)
            for k, start in enumerate(shape.starts)
            if bool(start % (4 * s)) == bool(unit) and start + s <= row
        ]
        return begun[-1] if begun else None

    def quotient(unit: int) -> Callable[[int], Index | None]:
        def at(row: int) -> Index | None:
            found = latest(unit, row)
            return found if found and found[1] < s else None

        return at

    def accumulator(unit: int) -> Callable[[int], Index | None]:
        def at(row: int) -> Index | None:
            found = latest(unit, row)
            return found and (found[0], min(found[1], s - 1))

        return at

    def word(row: int) -> Index | None:
        words = ((k, row - first_out(shape, start)) for k, start in enumerate(shape.starts))
        return next(((k, j) for k, j in words if 0 <= j < s), None)

    def tag(row: int) -> int | None:
        out = word(row)
        return None if out is None else int(shape.starts[out[0]] % (4 * s) != 0)

    return (
        Control("ready", 1, "combinational", lambda row: int(row % (4 * s) in (0, s))),
        Control("unit", 1, "combinational", lambda row: int(row % (4 * s) == s)),
        *(signal(f"q{unit}", w, "combinational", "q", quotient(unit)) for unit in (0, 1)),
        *(signal(f"T{unit}", w * s, "register", "T", accumulator(unit)) for unit in (0, 1)),
        Control("valid", 1, "combinational", lambda row: int(word(row) is not None)),
        Control("tag", 1, "combinational", tag),
        signal("r", w, "combinational", "r", word),
    )


def cycles(shape: Shape) -> int:
    return max(first_out(shape, start) for start in shape.starts) + int(shape.params.digits)


def next_start(shape: Shape, wanted: int) -> int:
    """The next row in which a unit without a product in this round can start."""
    s = shape.params.digits
    row = max(wanted, shape.starts[-1] + 1 if shape.starts else 0)
    while row % (4 * s) not in (0, s):
        row += 1
    return row


def results(shape: Shape, made: Sequence[Step]) -> list[Digit]:
    last = shape.params.digits - 1
    return [value for name, (_, i), value in made if name == "T" and i == last]


ARCHITECTURE = Architecture(
    id="serial_toy",
    title="Two word-serial units, for tests",
    source=MODEL.source,
    model=MODEL,
    own_parameters=(),
    own=lambda params, settings: {},
    first_cycle=1,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: shape.params.digits,
    costs=(),
    published={},
    overlap=Overlap(next_start, results, lambda shape, name, index: index[0]),
)
