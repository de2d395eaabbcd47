# SPDX-License-Identifier: Apache-2.0
"""A pipeline for the FPMM paper that meets its cycle counts: sigma logical multipliers, nine DSP blocks, no bubble.

The paper gives blocks and cycle counts; the registers are ours. A word of an even number of bits has two digits of w/2
bits. A word of an odd number of bits is a single digit: three DSP blocks, and a loop of two cycles less. The paper has
no figure for single digits, and its formula gives a loop that is too short for DSP blocks with three registers.

Slot x = theta*g + j of the stream is slot j of visit g. The word of this slot is, or would be, on the ports in cycle
1 + x, and every register holds the slot a fixed number of cycles later.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import takewhile

from limbtrace.refmodels.architecture import (
    Architecture,
    At,
    Column,
    Control,
    Cost,
    Overlap,
    Part,
    Shape,
    Signal,
    signal,
)
from limbtrace.refmodels.batch_digits import Digit, Limbs, join, split
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Step
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.fpmm import MODEL
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import Fpmm, Visit, plan
from limbtrace.refmodels.settings import Given, Parameter, Settings

MOST_DIGITS = 2
"""Most digits of a word. Three and four, for the 51 and 68 bits of Algorithm 3, would take 6 and 10 slots of each visit
in the DSP block of task 2, and a visit has s or s + 1 slots."""
LEAST_WORDS = 2

CONSTANTS = ("p", "p0", "p1", "P'")
"""Steps that belong to no visit."""

OWN_PARAMETERS = (
    Parameter("version", "fast: a register behind the adder of the first DSP block; small: none, and one cycle less",
              "fast", "fast or small", names=("small", "fast")),
)  # fmt: skip


def digits(w: int) -> int:
    """r, the number of digits of a word of w bits in this pipeline."""
    return 1 if w % 2 else MOST_DIGITS


def blocks(r: int) -> tuple[tuple[int, int], ...]:
    """The digits (of x, of y) that each DSP block of a row multiplies, by weight, those of x ascending."""
    return tuple((i, weight - i) for weight in range(2 * r - 1) for i in range(r) if 0 <= weight - i < r)


def defaults(params: Fpmm) -> Given:
    """The fewest slots and logical multipliers of this pipeline, for any w."""
    r = digits(params.radix_bits)
    theta = params.theta + (params.theta < fpmm.quotient_steps(r) and params.theta == params.digits)
    return {"theta": theta, "sigma": -(-fpmm.loop(r) // theta)}


def own(params: Fpmm, settings: Settings) -> dict[str, int]:
    """The version. Raises ParameterError for settings that this pipeline does not support."""
    w, theta, sigma = params.radix_bits, params.theta, params.sigma
    r = digits(w)
    if w > r * fpmm.DSP_BITS:
        raise ParameterError(
            "radix", f"2^{w}: the pipeline takes words of an even number of up to {MOST_DIGITS * fpmm.DSP_BITS} bits, "
            f"or of an odd number of up to {fpmm.DSP_BITS}"
        )  # fmt: skip
    if params.digits < LEAST_WORDS:
        raise ParameterError("s", f"the pipeline takes at least {LEAST_WORDS} words, not {params.digits}")
    if theta < fpmm.quotient_steps(r):
        raise ParameterError(
            "theta", f"{theta}: the DSP block of task 2 takes {fpmm.quotient_steps(r)} slots, which theta = s + 1 "
            "gives it"
        )  # fmt: skip
    if sigma * theta < fpmm.loop(r):
        raise ParameterError(
            "sigma", f"{sigma} times theta = {theta} is less than the loop of {fpmm.loop(r)} cycles; sigma is at least "
            f"{-(-fpmm.loop(r) // theta)}"
        )  # fmt: skip
    return {"version": settings.named("version", "fast")}


def epsilon(shape: Shape) -> int:
    """Cycle in which P0 of task 1 has slot 0."""
    return fpmm.EPSILON["F" if shape.own["version"] else "S"]


def alpha(shape: Shape) -> int:
    """Cycles from one visit of a logical multiplier to the next."""
    return int(shape.params.sigma * shape.params.theta)


def latency(shape: Shape) -> int:
    """lambda: from word 0 of the operands to the last word of the result, both cycles counted."""
    s: int = shape.params.digits
    return alpha(shape) * (s - 1) + fpmm.loop(digits(shape.params.radix_bits)) + s + epsilon(shape)


def turn(shape: Shape) -> int:
    """tau: cycles between two starts of the same logical multiplier."""
    return alpha(shape) * int(shape.params.digits)


def cycles(shape: Shape) -> int:
    return max(shape.starts) + latency(shape)


def next_start(shape: Shape, wanted: int) -> int:
    """The next row with slot 0 of a logical multiplier that has finished its last product or is about to."""
    theta: int = shape.params.theta
    sigma: int = shape.params.sigma
    row = max(wanted, shape.starts[-1] + 1 if shape.starts else 0)
    row += -row % theta
    recent = list(takewhile(lambda start: row - start < turn(shape), reversed(shape.starts)))
    while any(row - start < turn(shape) and (row - start) // theta % sigma == 0 for start in recent):
        row += theta
    return row


def visits(shape: Shape) -> list[Visit]:
    """The plan of visits, up to the last slot that is on the ports while a result is still in the pipeline."""
    theta = shape.params.theta
    planned = plan(shape.params, [start // theta for start in shape.starts])
    return planned + [Visit()] * ((cycles(shape) + 1) // theta + 1 - len(planned))


def micro_steps(shape: Shape, A: Sequence[list[Digit]], B: Sequence[list[Digit]]) -> Iterator[Step]:
    """The register contents, slot by slot, including idle ones; A[k] and B[k] are the words of product k.

    Words have digits 0 and 1: a = (a1, a0); or digit 0 alone, which is the low as well as the high one then. V0 to V3
    are the sums of the DSP blocks of task 1, Q of that of task 2, W0 to W3 of those of task 3; an M after the name
    denotes the product before the sum.
    """
    params: Fpmm = shape.params
    w, s, theta = params.radix_bits, params.digits, params.theta
    r = digits(w)
    h = w // r
    mask, low = (1 << w) - 1, (1 << h) - 1
    A, B = [_plain(word) for word in A], [_plain(word) for word in B]
    p = [*params.modulus_digits, 0][:theta]
    P = [split(word, h, r) for word in p]
    P_ = split(params.digit_inverse, h, r)
    for j in range(theta):
        yield "p", (j,), p[j]
        for k in range(r):
            yield f"p{k}", (j,), P[j][k]
    for k in range(r):
        yield "P'", (k,), P_[k]
    out: list[Digit] = []  # the word that leaves the loop in each slot
    q: list[Digit] = [0] * r
    VU = kc = W_high = ks = kt = 0
    for g, (job, i) in enumerate(visits(shape)):
        for j in range(theta):
            a, b = (A[job][i], B[job][j]) if i >= 0 and j < s else (0, 0)
            TM = out[theta * g + j + 1 - alpha(shape)] if i > 0 and j < s else 0
            ad, bd, td = split(a, h, r), split(b, h, r), split(TM, h, r)
            V, V_high = yield from _product("V", (g, j), ad, bd, h)  # task 1
            v = _digit_sums(V, td, h)
            U = _word([digit & low for digit in v], h) + VU + kc
            VU, kc = V_high + (v[-1] >> h), U >> w
            if j == 0:
                q = yield from _quotient(g, [digit & low for digit in v], P_, h)  # task 2
            W_before = W_high
            W, W_high = yield from _product("W", (g, j), q, P[j], h)  # task 3
            S = (U & mask) + _word(W, h) + ks
            T = (S & mask) + W_before + kt
            ks, kt = S >> w, T >> w
            out.append(T & mask)
            yield "a", (g, j), a
            yield "b", (g, j), b
            for k in range(r):
                yield f"a{k}", (g, j), ad[k]
                yield f"b{k}", (g, j), bd[k]
            yield "TM", (g, j), TM
            yield "TM1", (g, j), td[-1]
            yield "VL", (g, j), v[0]
            yield "cy0", (g, j), v[0] >> h
            yield "v0", (g, j), v[0] & low
            yield "VH", (g, j), v[-1]
            yield "VU", (g, j), VU
            yield "U", (g, j), U
            yield "u", (g, j), U & mask
            yield "w0", (g, j), W[0]
            yield "S", (g, j), S
            yield "T", (g, j), T
            yield "t", (g, j), T & mask


def _plain(words: Sequence[Digit]) -> list[Digit]:
    """Ints or 64-bit words: nothing in the pipeline is wider."""
    return [word.limbs[0] if isinstance(word, Limbs) else word for word in words]


def _word(values: list[Digit], h: int) -> Digit:
    """The word of these digits."""
    return sum(value << h * k for k, value in enumerate(values))


def _digit_sums(x: list[Digit], y: list[Digit], h: int) -> list[Digit]:
    """Digits with their carries; each takes the carry of the one before."""
    sums: list[Digit] = [x[0] + y[0]]
    for k in range(1, len(x)):
        sums.append(x[k] + y[k] + (sums[-1] >> h))
    return sums


def _accumulated(x: list[Digit], y: list[Digit], count: int, h: int) -> tuple[list[Digit], list[Digit]]:
    """The first products of `blocks` and their sums; where a weight begins the sum before loses its low digit."""
    products: list[Digit] = []
    sums: list[Digit] = []
    for i, j in blocks(len(x))[:count]:
        before = (sums[-1] >> h if i == 0 or j == len(x) - 1 else sums[-1]) if sums else 0
        products.append(x[i] * y[j])
        sums.append(products[-1] + before)
    return products, sums


def _low_word(sums: list[Digit], r: int, h: int) -> list[Digit]:
    """The digits of the low word: of each weight the last sum."""
    return [sums[fpmm.quotient_steps(k + 1) - 1] & (1 << h) - 1 for k in range(r)]


_Halves = tuple[list[Digit], Digit]


def _product(name: str, at: Index, x: list[Digit], y: list[Digit], h: int) -> Generator[Step, None, _Halves]:
    """A row of DSP blocks; returns the digits of the low word, and the high word."""
    r = len(x)
    products, sums = _accumulated(x, y, r * r, h)
    for k in range(r * r):
        yield f"{name}{k}M", at, products[k]
        yield f"{name}{k}", at, sums[k]
    return _low_word(sums, r, h), sums[-1] if r > 1 else sums[-1] >> h


def _quotient(g: int, v: list[Digit], P_: list[Digit], h: int) -> Generator[Step, None, list[Digit]]:
    """The steps of the DSP block of task 2; returns the digits of q."""
    r = len(v)
    products, sums = _accumulated(v, P_, fpmm.quotient_steps(r), h)
    for k, (i, _) in enumerate(blocks(r)[: len(sums)]):
        yield "X", (g, k), v[i]
        yield "QM", (g, k), products[k]
        yield "Q", (g, k), sums[k]
    q = _low_word(sums, r, h)
    yield "QL", (g,), q[0]
    yield "QH", (g,), q[-1]
    return q


class Slots:
    """Slot -> subscripts of the step, or value of the control signal, in that slot."""

    def __init__(self, shape: Shape) -> None:
        params: Fpmm = shape.params
        self.s, self.sigma, self.theta = params.digits, params.sigma, params.theta
        self.alpha = alpha(shape)
        self.r = digits(params.radix_bits)
        self.visits = visits(shape)

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

    def first(self, value: int, x: int) -> int | None:
        """A value that is computed only in slot 0."""
        return None if x % self.theta else value


def columns(shape: Shape) -> tuple[Column, ...]:
    """The ports, every register except the inner ones of delays, and further signals that explain their values.

    A column holds slot x in cycle c + x. Below, e is the cycle in which P0 of task 1 has slot 0, and f the one in which
    the low word of its product is complete.
    """
    at = Slots(shape)
    w, s, theta, fast, r = shape.params.radix_bits, at.s, at.theta, shape.own["version"], at.r
    h, e = w // r, epsilon(shape)
    f = e + fpmm.quotient_steps(r) - 1
    slot_bits, word_bits = (theta - 1).bit_length(), (s - 1).bit_length()
    lm_bits = max((at.sigma - 1).bit_length(), 1)

    def register(name: str, width: int, step: str, c: int, where: At = at.slot) -> Column:
        return signal(name, width, "register", step, lambda row: where(row + 2 - c))

    def wire(name: str, width: int, step: str, c: int, where: At = at.slot) -> Column:
        return signal(name, width, "combinational", step, lambda row: where(row + 1 - c))

    def control(name: str, width: int, c: int, value: Callable[[int], int | None]) -> Column:
        return Control(name, width, "register", lambda row: value(row + 2 - c))

    def logic(name: str, width: int, c: int, value: Callable[[int], int | None]) -> Column:
        return Control(name, width, "combinational", lambda row: value(row + 1 - c))

    def known(c: int) -> tuple[Column, ...]:
        """The state of a slot in cycles 2 and 3."""
        return (
            control(f"c{c}_slot", slot_bits, c, lambda x: x % theta),
            control(f"c{c}_lm", lm_bits, c, at.lm),
            control(f"c{c}_iter", word_bits, c, lambda x: max(at.visit(x).it, 0)),
            control(f"c{c}_active", 1, c, lambda x: int(at.visit(x).it >= 0)),
        )

    def dsp(name: str, k: int, c: int, x: Column, y: Column) -> tuple[Column, ...]:
        """Block k of a row: its factors, their product, and the sum, which holds slot 0 in cycle c."""
        return (
            x,
            y,
            register(f"{name}{k}_m", 2 * h, f"{name.upper()}{k}M", c - 1),
            register(f"{name}{k}_p", 2 * h + 1, f"{name.upper()}{k}", c),
        )

    def task1(k: int, c: int) -> tuple[Column, ...]:
        i, j = blocks(r)[k]
        return dsp("v", k, c, register(f"v{k}_x", h, f"a{i}", c - 2), register(f"v{k}_y", h, f"b{j}", c - 2))

    def task3(k: int, c: int) -> tuple[Column, ...]:
        i, j = blocks(r)[k]
        x = register(f"w{k}_x", h, ("QL", "QH")[i], c - 2, at.held)
        return dsp("w", k, c, x, register(f"w{k}_y", h, f"p{j}", c - 2, at.constant))

    def high(name: str, step: str, c: int) -> tuple[Column, ...]:
        """The high word of a product of single digits; that of others is a sum of its own."""
        part = Part(step, lambda row: at.slot(row + 2 - c), (2 * h - 1, h))
        return (Signal(name, w, "register", ((part, w),)),) if r == 1 else ()

    def two(*columns: Column) -> tuple[Column, ...]:
        """Registers for digit 1."""
        return columns if r > 1 else ()

    small = (*task1(0, e + 1)[:3], wire("v0_p", 2 * h + 1, "V0", e))  # no register behind the sum
    return (
        logic("ready", 1, 1, lambda x: int(x % theta == 0 and at.visit(x).it <= 0)),
        logic("lm_o", lm_bits, 1, at.lm),
        control("slot", slot_bits, 1, lambda x: x % theta),
        logic("iter", word_bits, 1, lambda x: at.first(max(at.visit(x).it, 0), x)),
        logic("active", 1, 1, lambda x: at.first(int(at.visit(x).it >= 0), x)),
        *known(2),
        *known(3),
        register("a2", w, "a", 2, at.loaded_a),
        register("b2", w, "b", 2, at.loaded_b),
        logic("wr_en", 1, 2, lambda x: int(at.word(x).it == 0)),
        logic("wr_addr", lm_bits + word_bits, 2, lambda x: (at.lm(x) << word_bits) + x % theta % (1 << word_bits)),
        register("a4", w, "a", 4),
        register("b4", w, "b", 4),
        register("a5", w, "a", 5),
        register("b5", w, "b", 5),
        *(task1(0, e) if fast else small),
        *(column for k in range(1, r * r) for column in task1(k, e + k)),
        wire("tm_d", w, "t", e - 1, at.returned),
        logic("feed", 1, e - 1, lambda x: int(at.word(x).it > 0)),
        register("tm", w, "TM", e),
        *two(register("tm_hi", h, "TM1", e + 2)),
        register("vl", h + 1, "VL", e + 1),
        *two(
            register("cy0", 1, "cy0", e + 2),
            register("vl_d1", h, "v0", e + 2),
            register("vl_d2", h, "v0", e + 3),
            register("vh", h + 1, "VH", e + 3),
        ),
        *high("v_high", "V0", e + 1),
        register("vu", w, "VU", f + 2),
        register("u", w + 1, "U", f + 2),
        register("q_d", h, "X", e + 2, at.step),
        register("q_x", h, "X", e + 3, at.step),
        register("q_y", h, "P'", e + 3, at.factor),
        register("q_m", 2 * h, "QM", e + 4, at.step),
        register("q_p", 2 * h + 1, "Q", e + 5, at.step),
        register("ql", h, "QL", e + 6, at.held),
        *two(register("qh", h, "QH", e + 8, at.held)),
        wire("p_word", w, "p", e + 6, at.constant),
        *(column for k in range(r * r) for column in task3(k, e + 9 + k)),
        *two(register("w_p0", h, "w0", e + 11)),
        register("u_late", w, "u", f + 9),
        *two(register("w_p3", w, "W3", e + 13)),
        *high("w_high", "W0", e + 11),
        register("s", w + 1, "S", f + 10),
        register("t", w + 1, "T", f + 11),
        register("o", w, "t", f + 12),
        logic("r_valid", 1, f + 14, lambda x: int(at.word(x).it == s - 1)),  # word j comes with the slot after slot j
        logic("r_lm", lm_bits, f + 14, at.lm),
        wire("r", w, "t", f + 13),
    )


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """The last words of every product, one slot later than the slots of their visits."""
    params: Fpmm = shape.params
    words = [value for name, _, value in steps if name == "t"]
    ends = [start + alpha(shape) * (params.digits - 1) + 1 for start in shape.starts]
    return [join(words[end : end + params.digits], params.radix_bits) for end in ends]


def owner(shape: Shape, name: str, index: Index) -> int | None:
    """The product that the visit belongs to."""
    params: Fpmm = shape.params
    for job, start in enumerate(shape.starts):
        i, others = divmod(index[0] - start // params.theta, params.sigma)
        if name not in CONSTANTS and not others and 0 <= i < params.digits:
            return job
    return None


def _data_bits(shape: Shape) -> int:
    """Bits of the data registers outside of the DSP blocks, including delays and padding, without memories."""
    w: int = shape.params.radix_bits
    if digits(w) == 1:
        return (alpha(shape) + 14) * w + 4
    return (alpha(shape) + 7) * w + (23 + 4 * shape.own["version"]) * (w // 2) + 6


ARCHITECTURE = Architecture(
    id="fpmm",
    title="FPMM, interleaved multipliers in nine DSP blocks, or three for words of an odd number of bits",
    source=fpmm.paper("Algorithms 2 and 3"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    first_cycle=1,
    steps=micro_steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: int(shape.params.theta),
    costs=(
        Cost("cycles", "clock cycles", "lambda = alpha(s - 1) + 15 + s + epsilon, alpha = sigma*theta; 13 in place of "
             "15 for an odd w", latency),
        Cost("interval", "clock cycles", "tau = alpha*s, for sigma products", turn),
        Cost("DSP", "DSP48", "4 for a_i*b_j, 1 for q, 4 for q*p_j; 1 for each for an odd w",
             lambda shape: 2 * digits(shape.params.radix_bits) ** 2 + 1),
        Cost("registers", "bits", "words of w bits: alpha + 7, digits of w/2: 23, 27 in the fast version, 6 carries; "
             "for an odd w alpha + 14 words and 4 carries; outside the DSP blocks and memories", _data_bits),
    ),
    published={
        "cycles": {"128 bits, F44 and S44": [75, 74], "256 bits, F28, S28, F48, S48": [143, 142, 255, 254]},
        "DSP": {"w = 34": 9},
        "area": {"F44D, Virtex-7": {"LUT": 600, "FF": 758}, "F44B, Virtex-7": {"LUT": 545, "FF": 725, "BRAM": 2}},
    },
    overlap=Overlap(next_start, results, owner),
    defaults=defaults,
)  # fmt: skip
