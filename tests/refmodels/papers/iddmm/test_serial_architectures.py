# SPDX-License-Identifier: Apache-2.0
"""The schedules of the bit-serial and the word-serial core against register-level simulators, and printed counts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import assume, given

from limbtrace.refmodels.architecture import Architecture, Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.vectors.request import CoreRequest, Multiplier
from limbtrace.vectors.strategies import cases

BIT, WORD = ARCHITECTURES["r2mm_bitserial"], ARCHITECTURES["mwr2mm_wordserial"]
BY_MODEL = {"r2mm": BIT, "mwr2mm": WORD}
Rows = list[dict[str, int]]
Machine = Callable[[Shape, int, int], tuple[Rows, int]]


def bit_serial(shape: Shape, X: int, Y: int) -> tuple[Rows, int]:
    """Clocked like hardware: one register of N + 1 bits, two adders of N + 2 bits; X is shifted out."""
    p, n = shape.params.modulus, shape.params.modulus.bit_length()
    wide = 1 << (n + 2)
    S, rows = 0, []
    for cycle in range(n + 1):
        last = cycle == n
        row = {"T": S + (Y if X & 1 and not last else 0)}
        assert row["T"] < wide
        if last:
            difference = (row["T"] + (wide - 1 - p) + 1) % wide
            row["sub"] = 1 - (difference >> (n + 1))
            S = difference if row["sub"] else S
        else:
            row |= {"x": X & 1, "q": row["T"] & 1}
            total = row["T"] + (p if row["q"] else 0)
            assert total < wide
            assert total % 2 == 0
            S = total >> 1
        X >>= 1
        row["S"] = S
        rows.append(row)
    return rows, S


def word_serial(shape: Shape, X: int, Y: int) -> tuple[Rows, int]:
    """Clocked like hardware: a memory of e words, one word per cycle; it uses no step of the model."""
    return word_machine(shape.params.modulus, shape.params.w, shape.params.e, X, Y)


def word_machine(p: int, w: int, e: int, X: int, Y: int) -> tuple[Rows, int]:
    """The multiplication for any number of words, even too few."""
    memory, low = [0] * e, (1 << w) - 1
    r, rows = {"Ca": 0, "Cb": 0, "par": 0, "kept": 0}, []
    i = j = 0
    while i < p.bit_length():
        inside = j < e
        y, m, s = (Y >> w * j & low, p >> w * j & low, memory[j]) if inside else (0, 0, 0)
        x = X >> i & 1
        first = (y if x else 0) + s + r["Ca"]
        parity = r["par"] if j else first & 1
        second = (first & low) + (m if parity else 0) + r["Cb"]
        row = {"x": x, "Sa": first, "Sb": second, "S_we": int(j > 0)}
        if j:
            row |= {"S_addr": j - 1, "S": (second & 1) << (w - 1) | r["kept"]}
            memory[j - 1] = row["S"]
        r = {"Ca": first >> w, "Cb": second >> w, "par": parity, "kept": (second & low) >> 1}
        rows.append({**row, **r})
        i, j = (i, j + 1) if inside else (i + 1, 0)
    return rows, sum(word << w * k for k, word in enumerate(memory))


MACHINES: dict[str, Machine] = {BIT.id: bit_serial, WORD.id: word_serial}
ALWAYS = {"Ca", "Cb", "par", "kept", "Sa", "Sb", "S_we", "T"}
"""Columns that are defined in every cycle."""


def cared_for(shape: Shape) -> dict[str, int]:
    """For the other columns: the number of cycles in which they are not don't care."""
    n = shape.params.bits
    if shape.params.named:
        e = shape.params.e
        return {"x": n * (e + 1), "S": n * e, "S_addr": n * e}
    return {"x": n, "q": n, "sub": 1, "S": n + 1}


def agree(architecture: Architecture, shape: Shape, pairs: list[tuple[int, int]]) -> None:
    """Every cell that is not don't care equals the machine's value, and the machine's result is the closed form."""
    plan = architecture.plan(shape)
    counts = cared_for(shape)
    for product in architecture.products(shape, [TimedPair(a, b) for a, b in pairs], plan):
        rows, result = MACHINES[architecture.id](shape, product.a, product.b)
        assert result == product.result == architecture.model.closed_form(shape.params, product.a, product.b)
        assert len(rows) == architecture.cycles(shape)
        for column, cells in zip(plan.columns, product.table, strict=True):
            cared = [(cycle, cell) for cycle, cell in enumerate(cells) if cell is not None]
            assert len(cared) == (len(rows) if column.name in ALWAYS else counts[column.name])
            for cycle, cell in cared:
                assert cell >> column.width == 0
                assert (column.name, cycle, cell) == (column.name, cycle, rows[cycle].get(column.name))


@given(cases(list(BY_MODEL), max_bits=80))
def test_schedule_is_what_the_machine_does(case: Any) -> None:
    multiplier, a, b = case
    assume(multiplier.params.named.get("w") != 1)
    architecture = BY_MODEL[multiplier.model.id]
    agree(architecture, architecture.resolve(multiplier.modulus.modulus, multiplier.settings), [(a, b)])


def tiny_shapes() -> Iterator[tuple[Architecture, Shape]]:
    """Moduli of 2 to 4 bits; words that the modulus fills or does not fill, and one word more than needed."""
    for p in (3, 5, 7, 9, 11, 15):
        yield BIT, BIT.resolve(p, {})
        for w in (2, 3, 4, 5):
            least = p.bit_length() // w + 1
            for e in (least, least + 1):
                yield WORD, WORD.resolve(p, {"w": w, "e": e})


def test_every_product_of_tiny_moduli() -> None:
    """All operands that are accepted."""
    for architecture, shape in tiny_shapes():
        a_max, b_max = shape.params.limits
        agree(architecture, shape, [(a, b) for a in range(a_max + 1) for b in range(b_max + 1)])


@pytest.mark.parametrize(("bits", "w"), [(128, 64), (255, 16), (256, 16), (521, 60), (2048, 64)])
def test_wide_moduli(bits: int, w: int) -> None:
    p = 2**bits - 1
    for architecture, shape in ((BIT, BIT.resolve(p, {})), (WORD, WORD.resolve(p, {"w": w}))):
        agree(architecture, shape, [shape.params.limits])


def test_the_printed_number_of_words_is_one_short_where_they_are_full() -> None:
    """The machine with ceil(N/w) words: right if w does not divide N, otherwise wrong for some product."""
    for N in (3, 4, 5):
        p = 2**N - 1
        for w in (2, 3, 4, 5):
            params = WORD.resolve(p, {"w": w}).params
            pairs = [(a, b) for a in range(2**N) for b in range(p)]
            results = [word_machine(p, w, -(-N // w), *pair)[1] for pair in pairs]
            right = [WORD.model.closed_form(params, *pair) for pair in pairs]
            assert (results == right) == (N % w > 0), (p, w)


def test_published_cycle_counts() -> None:
    """Figure 1: N iterations, and a cycle more for the subtraction. Figure 2: N(ceil(N/w) + 1) unless w divides N."""
    for bits in (128, 160, 256, 1024, 2048):
        p = 2**bits - 1
        assert BIT.cycles(BIT.resolve(p, {})) == bits + 1
        for w in (8, 16, 24, 32, 60, 64):
            words = -(-bits // w) + (bits % w == 0)
            shape = WORD.resolve(p, {"w": w})
            assert WORD.cycles(shape) == bits * (words + 1)
            assert WORD.interval(shape) == WORD.cycles(shape) + 1


def test_costs() -> None:
    """The total width of the columns that are registers or adders."""
    for architecture, shape in tiny_shapes():
        widths = {column.name: column.width for column in architecture.columns(shape)}
        cost = {entry.name: entry.value(shape) for entry in architecture.costs}
        kinds = {column.name: column.kind for column in architecture.columns(shape)}
        assert cost["registers"] == sum(widths[name] for name, kind in kinds.items() if kind == "register")
        adders = 2 * widths["T"] if architecture is BIT else widths["Sa"] + widths["Sb"] - 2  # without the carries out
        assert (cost["cycles"], cost["adders"]) == (architecture.cycles(shape), adders)


def test_vectors_do_not_depend_on_the_width_of_the_ports() -> None:
    core, plain = CoreRequest.resolve(BIT.id, 251, {"w": 8}), Multiplier.resolve("r2mm", 251, {})
    assert (core.multiplier.identity, core.multiplier.head) == (plain.identity, plain.head)
    assert core.head["params"] == {"w": 8}


@pytest.mark.parametrize(
    ("architecture", "settings", "sentence"),
    [
        (BIT, {"w": 1}, r"^w: 1 is outside 2 to 64$"),
        (BIT, {"w": 65}, r"^w: 65 is outside 2 to 64$"),
        (BIT, {"e": 4}, r"^e: r2mm_bitserial has no such parameter; .*, w$"),
        (WORD, {"w": 1}, r"^w: mwr2mm_wordserial needs words of 2 bits or more, and here w is 1$"),
        (WORD, {"w": 8, "e": 1}, r"^e: 1 is outside 2 to .* \(2p < 2\^\(w\*e\)\)$"),
        (WORD, {"form": "printed"}, r"^form: mwr2mm_wordserial is built for the corrected form only$"),
    ],
)
def test_what_is_refused(architecture: Architecture, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        architecture.resolve(251, settings)
