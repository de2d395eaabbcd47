# SPDX-License-Identifier: Apache-2.0
"""The columns of the FPMM pipeline's cycle tables: which step each signal holds in each cycle."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from limbtrace.refmodels.architecture import At, Column, Control, Part, Shape, Signal
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import Fpmm, Visit
from limbtrace.refmodels.papers.fpmm.pipeline.timing import alpha, blocks, digits, epsilon, visits


class Slots:
    """Slot -> subscripts of the step, or value of the control signal, in that slot."""

    def __init__(self, shape: Shape) -> None:
        params: Fpmm = shape.params
        self.s, self.sigma, self.theta = params.digits, params.sigma, params.theta
        self.alpha = alpha(shape)
        self.r = digits(params.radix_bits)
        self.visits = visits(shape)
        self.slot_bits, self.word_bits = (self.theta - 1).bit_length(), (self.s - 1).bit_length()
        self.lm_bits = max((self.sigma - 1).bit_length(), 1)

    def visit(self, x: int) -> Visit:
        """The visit of that slot. Those before the first are idle."""
        return self.visits[x // self.theta] if x >= 0 else Visit()

    def word(self, x: int) -> Visit:
        """The visit to which the slot delivers a word; an idle one if it delivers none."""
        return self.visit(x) if x % self.theta < self.s else Visit()

    def lm(self, x: int) -> int:
        return x // self.theta % self.sigma

    def slot(self, x: int) -> Index:
        return divmod(x, self.theta)

    def held(self, x: int) -> Index:
        """A value that stays for a whole visit."""
        return (x // self.theta,)

    def constant(self, x: int) -> Index:
        """A word of P."""
        return (x % self.theta,)

    def step(self, x: int) -> Index | None:
        """One of the steps of task 2 in a visit; in other slots its DSP block is don't care."""
        g, k = divmod(x, self.theta)
        return (g, k) if k < fpmm.quotient_steps(self.r) else None

    def factor(self, x: int) -> Index | None:
        """The digit of P' in that step."""
        k = x % self.theta
        return (blocks(self.r)[k][1],) if k < fpmm.quotient_steps(self.r) else None

    def returned(self, x: int) -> Index:
        """The word from the loop that the slot may take."""
        return self.slot(x + 1 - self.alpha)

    def loaded_a(self, x: int) -> Index | None:
        """A word of A while it is loaded: word j is used in iteration j."""
        g, j = self.slot(x)
        return (g + self.sigma * j, 0) if self.word(x).it == 0 else None

    def loaded_b(self, x: int) -> Index | None:
        return self.slot(x) if self.word(x).it == 0 else None

    def number(self, x: int) -> int:
        """The slot within its visit."""
        return x % self.theta

    def iteration(self, x: int) -> int:
        """The iteration of the visit, 0 in an idle one."""
        return max(self.visit(x).it, 0)

    def active(self, x: int) -> int:
        """1 in a visit that is not idle."""
        return int(self.visit(x).it >= 0)

    def first_iteration(self, x: int) -> int | None:
        """`iteration`, which is computed only in slot 0."""
        return None if x % self.theta else self.iteration(x)

    def first_active(self, x: int) -> int | None:
        """`active`, which is computed only in slot 0."""
        return None if x % self.theta else self.active(x)

    def ready(self, x: int) -> int:
        """1 in the first slot of a visit in which a product may begin."""
        return int(x % self.theta == 0 and self.visit(x).it <= 0)

    def writes(self, x: int) -> int:
        """1 in a slot with words of new operands."""
        return int(self.word(x).it == 0)

    def address(self, x: int) -> int:
        """The place of these words in the memory."""
        return (self.lm(x) << self.word_bits) + x % self.theta % (1 << self.word_bits)

    def feeds(self, x: int) -> int:
        """1 in a slot that takes a word from the loop."""
        return int(self.word(x).it > 0)

    def ends(self, x: int) -> int:
        """1 in a slot with a word of a result, which comes with the slot after its own."""
        return int(self.word(x).it == self.s - 1)


REGISTER, WIRE = "register", "combinational"

TWO_DIGITS = ("tm_hi", "cy0", "vl_d1", "vl_d2", "vh", "qh", "w_p0", "w_p3")
"""Rows of words with two digits alone."""
ONE_DIGIT = ("v_high", "w_high")
"""Rows of single digits alone: the high word of a product, which is a sum of its own if there are two digits."""


class Row(NamedTuple):
    """A signal that holds slot x in cycle `cycle` + x."""

    name: str
    width: int
    kind: str
    cycle: int
    holds: str | Callable[[int], int | None]
    """A step; or the value of a control signal, given the slot."""
    where: Callable[[int], Index | None] = lambda x: None
    """Slot -> subscripts of the step."""
    bits: tuple[int, int] | None = None
    """The bits of the step that it holds, (high, low); all if None."""

    def column(self) -> Column:
        """The row by cycles. A register holds a value after the edge that ends the cycle, a wire during the cycle."""
        holds, where, ahead = self.holds, self.where, (2 if self.kind == REGISTER else 1) - self.cycle
        if not isinstance(holds, str):
            return Control(self.name, self.width, self.kind, lambda cycle: holds(cycle + ahead))
        part = Part(holds, lambda cycle: where(cycle + ahead), self.bits)
        return Signal(self.name, self.width, self.kind, ((part, self.width),))


def block(name: str, k: int, cycle: int, x: Row, y: Row, at: At) -> tuple[Row, ...]:
    """DSP block k of a row: its factors, their product, and the sum, which holds slot 0 in that cycle."""
    product, total = f"{name.upper()}{k}M", f"{name.upper()}{k}"
    return (
        x._replace(name=f"{name}{k}_x", cycle=cycle - 2),
        y._replace(name=f"{name}{k}_y", cycle=cycle - 2),
        Row(f"{name}{k}_m", 2 * x.width, REGISTER, cycle - 1, product, at),
        Row(f"{name}{k}_p", 2 * x.width + 1, REGISTER, cycle, total, at),
    )


def task1(at: Slots, h: int, e: int, fast: int) -> Iterator[Row]:
    """The DSP blocks of a*b; the small version has no register behind the sum of the first one."""
    for k, (i, j) in enumerate(blocks(at.r)):
        a, b = Row("", h, REGISTER, 0, f"a{i}", at.slot), Row("", h, REGISTER, 0, f"b{j}", at.slot)
        if k or fast:
            yield from block("v", k, e + k, a, b, at.slot)
        else:
            yield from block("v", k, e + 1, a, b, at.slot)[:3]
            yield Row("v0_p", 2 * h + 1, WIRE, e, "V0", at.slot)


def task3(at: Slots, h: int, cycle: int) -> Iterator[Row]:
    """The DSP blocks of q*p."""
    for k, (i, j) in enumerate(blocks(at.r)):
        q, p = Row("", h, REGISTER, 0, ("QL", "QH")[i], at.held), Row("", h, REGISTER, 0, f"p{j}", at.constant)
        yield from block("w", k, cycle + k, q, p, at.slot)


def known(at: Slots, cycle: int, slot_bits: int, lm_bits: int, word_bits: int) -> tuple[Row, ...]:
    """The state of a slot, in cycles 2 and 3."""
    return (
        Row(f"c{cycle}_slot", slot_bits, REGISTER, cycle, at.number),
        Row(f"c{cycle}_lm", lm_bits, REGISTER, cycle, at.lm),
        Row(f"c{cycle}_iter", word_bits, REGISTER, cycle, at.iteration),
        Row(f"c{cycle}_active", 1, REGISTER, cycle, at.active),
    )


def columns(shape: Shape) -> tuple[Column, ...]:
    """The ports, every register except the inner ones of delays, and further signals that explain their values.

    A column holds slot x in cycle c + x. Below, e is the cycle in which P0 of task 1 has slot 0, and f the one in which
    the low word of its product is complete.
    """
    at = Slots(shape)
    w, r, e, fast = shape.params.radix_bits, at.r, epsilon(shape), shape.own["version"]
    h, f = w // r, e + fpmm.quotient_steps(r) - 1
    slot_bits, word_bits, lm_bits = at.slot_bits, at.word_bits, at.lm_bits
    R, W = REGISTER, WIRE
    table = (
        # name      width        kind  c   step, or value of a slot; subscripts of the step
        Row("ready",   1,           W, 1,      at.ready),
        Row("lm_o",    lm_bits,     W, 1,      at.lm),
        Row("slot",    slot_bits,   R, 1,      at.number),
        Row("iter",    word_bits,   W, 1,      at.first_iteration),
        Row("active",  1,           W, 1,      at.first_active),
        *known(at, 2, slot_bits, lm_bits, word_bits),
        *known(at, 3, slot_bits, lm_bits, word_bits),
        Row("a2",      w,           R, 2,      "a", at.loaded_a),
        Row("b2",      w,           R, 2,      "b", at.loaded_b),
        Row("wr_en",   1,           W, 2,      at.writes),
        Row("wr_addr", lm_bits + word_bits, W, 2, at.address),
        Row("a4",      w,           R, 4,      "a", at.slot),
        Row("b4",      w,           R, 4,      "b", at.slot),
        Row("a5",      w,           R, 5,      "a", at.slot),
        Row("b5",      w,           R, 5,      "b", at.slot),
        *task1(at, h, e, fast),
        Row("tm_d",    w,           W, e - 1,  "t", at.returned),
        Row("feed",    1,           W, e - 1,  at.feeds),
        Row("tm",      w,           R, e,      "TM", at.slot),
        Row("tm_hi",   h,           R, e + 2,  "TM1", at.slot),
        Row("vl",      h + 1,       R, e + 1,  "VL", at.slot),
        Row("cy0",     1,           R, e + 2,  "cy0", at.slot),
        Row("vl_d1",   h,           R, e + 2,  "v0", at.slot),
        Row("vl_d2",   h,           R, e + 3,  "v0", at.slot),
        Row("vh",      h + 1,       R, e + 3,  "VH", at.slot),
        Row("v_high",  w,           R, e + 1,  "V0", at.slot, (2 * h - 1, h)),
        Row("vu",      w,           R, f + 2,  "VU", at.slot),
        Row("u",       w + 1,       R, f + 2,  "U", at.slot),
        Row("q_d",     h,           R, e + 2,  "X", at.step),
        Row("q_x",     h,           R, e + 3,  "X", at.step),
        Row("q_y",     h,           R, e + 3,  "P'", at.factor),
        Row("q_m",     2 * h,       R, e + 4,  "QM", at.step),
        Row("q_p",     2 * h + 1,   R, e + 5,  "Q", at.step),
        Row("ql",      h,           R, e + 6,  "QL", at.held),
        Row("qh",      h,           R, e + 8,  "QH", at.held),
        Row("p_word",  w,           W, e + 6,  "p", at.constant),
        *task3(at, h, e + 9),
        Row("w_p0",    h,           R, e + 11, "w0", at.slot),
        Row("u_late",  w,           R, f + 9,  "u", at.slot),
        Row("w_p3",    w,           R, e + 13, "W3", at.slot),
        Row("w_high",  w,           R, e + 11, "W0", at.slot, (2 * h - 1, h)),
        Row("s",       w + 1,       R, f + 10, "S", at.slot),
        Row("t",       w + 1,       R, f + 11, "T", at.slot),
        Row("o",       w,           R, f + 12, "t", at.slot),
        Row("r_valid", 1,           W, f + 14, at.ends),
        Row("r_lm",    lm_bits,     W, f + 14, at.lm),
        Row("r",       w,           W, f + 13, "t", at.slot),
    )  # fmt: skip
    absent = TWO_DIGITS if r == 1 else ONE_DIGIT
    return tuple(row.column() for row in table if row.name not in absent)
