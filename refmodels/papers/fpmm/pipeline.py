# SPDX-License-Identifier: Apache-2.0
"""A pipeline for the FPMM paper that meets its cycle counts: sigma logical multipliers, nine DSP blocks, no bubble.

The paper gives blocks and cycle counts; the registers are ours. A word has two digits of w/2 bits. Slot x = theta*g + j
of the stream is slot j of visit g. The word of this slot is, or would be, on the ports in cycle 1 + x, and every
register holds the slot a fixed number of cycles later.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import takewhile

from refmodels.architecture import Architecture, At, Column, Control, Cost, Overlap, Shape, signal
from refmodels.columns import Digit, Limbs, join
from refmodels.errors import ParameterError
from refmodels.model import Index, Step
from refmodels.papers.fpmm import design as fpmm
from refmodels.papers.fpmm.fpmm import MODEL, Fpmm, Visit, plan
from refmodels.settings import Given, Parameter, Settings

LOOP = 15
"""Cycles of the loop through the three tasks for any w; Algorithm 3 gives this number for w = 34."""
WIDEST_WORD = 2 * fpmm.DSP_BITS
LEAST_WORDS = 2
LEAST_SLOTS = 3

CONSTANTS = ("p", "p0", "p1", "P'")
"""Steps that belong to no visit."""

OWN_PARAMETERS = (
    Parameter("version", "fast: a register behind the adder of the first DSP block; small: none, and one cycle less",
              "fast", "fast or small", names=("small", "fast")),
)  # fmt: skip


def defaults(params: Fpmm) -> Given:
    """The fewest slots and logical multipliers of this pipeline, for any w."""
    theta = params.theta + (params.digits == LEAST_WORDS == params.theta)
    return {"theta": theta, "sigma": -(-LOOP // theta)}


def own(params: Fpmm, settings: Settings) -> dict[str, int]:
    """The version. Raises ParameterError for settings that this pipeline does not support."""
    w, theta, sigma = params.radix_bits, params.theta, params.sigma
    if w % 2 or w > WIDEST_WORD:
        raise ParameterError("radix", f"2^{w}: the pipeline takes words of an even number of up to {WIDEST_WORD} bits")
    if params.digits < LEAST_WORDS:
        raise ParameterError("s", f"the pipeline takes at least {LEAST_WORDS} words, not {params.digits}")
    if theta < LEAST_SLOTS:
        raise ParameterError(
            "theta", f"{theta}: the DSP block of task 2 takes {LEAST_SLOTS} slots, which theta = s + 1 gives it"
        )
    if sigma * theta < LOOP:
        raise ParameterError(
            "sigma", f"{sigma} times theta = {theta} is less than the loop of {LOOP} cycles; sigma is at least "
            f"{-(-LOOP // theta)}"
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
    return alpha(shape) * (s - 1) + LOOP + s + epsilon(shape)


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

    Words have digits 0 and 1: a = (a1, a0). V0 to V3 are the sums of the DSP blocks of task 1, Q of that of task 2, W0
    to W3 of those of task 3; an M after the name denotes the product before the sum.
    """
    params: Fpmm = shape.params
    w, s, theta, P_ = params.radix_bits, params.digits, params.theta, params.digit_inverse
    h = w // 2
    mask, low = (1 << w) - 1, (1 << h) - 1
    A, B = [_plain(word) for word in A], [_plain(word) for word in B]
    p = [*params.modulus_digits, 0][:theta]
    for j in range(theta):
        yield "p", (j,), p[j]
        yield "p0", (j,), p[j] & low
        yield "p1", (j,), p[j] >> h
    yield "P'", (0,), P_ & low
    yield "P'", (1,), P_ >> h
    out: list[Digit] = []  # the word that leaves the loop in each slot
    VU = kc = W3 = ks = kt = q0 = q1 = 0
    for g, (job, i) in enumerate(visits(shape)):
        for j in range(theta):
            a, b = (A[job][i], B[job][j]) if i >= 0 and j < s else (0, 0)
            TM = out[theta * g + j + 1 - alpha(shape)] if i > 0 and j < s else 0
            a0, a1, b0, b1, t0, t1 = a & low, a >> h, b & low, b >> h, TM & low, TM >> h
            V0, V2, V3 = yield from _product("V", (g, j), a0, a1, b0, b1, h)  # task 1
            VL = (V0 & low) + t0
            VH = (V2 & low) + t1 + (VL >> h)
            U = (VH & low) * (1 << h) + (VL & low) + VU + kc
            VU, kc = V3 + (VH >> h), U >> w
            if j == 0:
                q0, q1 = yield from _quotient(g, VL & low, VH & low, P_ & low, P_ >> h, h)  # task 2
            W3_before = W3
            W0, W2, W3 = yield from _product("W", (g, j), q0, q1, p[j] & low, p[j] >> h, h)  # task 3
            S = (U & mask) + (W2 & low) * (1 << h) + (W0 & low) + ks
            T = (S & mask) + W3_before + kt
            ks, kt = S >> w, T >> w
            out.append(T & mask)
            yield "a", (g, j), a
            yield "a0", (g, j), a0
            yield "a1", (g, j), a1
            yield "b", (g, j), b
            yield "b0", (g, j), b0
            yield "b1", (g, j), b1
            yield "TM", (g, j), TM
            yield "TM1", (g, j), t1
            yield "VL", (g, j), VL
            yield "cy0", (g, j), VL >> h
            yield "v0", (g, j), VL & low
            yield "VH", (g, j), VH
            yield "VU", (g, j), VU
            yield "U", (g, j), U
            yield "u", (g, j), U & mask
            yield "w0", (g, j), W0 & low
            yield "S", (g, j), S
            yield "T", (g, j), T
            yield "t", (g, j), T & mask


def _plain(words: Sequence[Digit]) -> list[Digit]:
    """Ints or 64-bit words: nothing in the pipeline is wider."""
    return [word.limbs[0] if isinstance(word, Limbs) else word for word in words]


_Sums = tuple[Digit, Digit, Digit]


def _product(name: str, at: Index, x0: Digit, x1: Digit, y0: Digit, y1: Digit, h: int) -> Generator[Step, None, _Sums]:
    """A row of four DSP blocks; returns sums 0 and 2, whose low digits are used, and sum 3, the high word."""
    products = (x0 * y0, x0 * y1, x1 * y0, x1 * y1)
    sum0 = products[0]
    sum1 = products[1] + (sum0 >> h)
    sum2 = products[2] + sum1
    sums = (sum0, sum1, sum2, products[3] + (sum2 >> h))
    for k in range(4):
        yield f"{name}{k}M", at, products[k]
        yield f"{name}{k}", at, sums[k]
    return sum0, sum2, sums[3]


def _quotient(g: int, v0: Digit, v1: Digit, P0: Digit, P1: Digit, h: int) -> Generator[Step, None, tuple[Digit, Digit]]:
    """The three steps of the DSP block of task 2; returns the digits of q."""
    low = (1 << h) - 1
    sum0 = v0 * P0
    sum1 = v0 * P1 + (sum0 >> h)
    steps = ((v0, v0 * P0, sum0), (v0, v0 * P1, sum1), (v1, v1 * P0, v1 * P0 + sum1))
    for k, (digit, product, total) in enumerate(steps):
        yield "X", (g, k), digit
        yield "QM", (g, k), product
        yield "Q", (g, k), total
    q0, q1 = sum0 & low, steps[2][2] & low
    yield "QL", (g,), q0
    yield "QH", (g,), q1
    return q0, q1


class Slots:
    """Slot -> subscripts of the step, or value of the control signal, in that slot."""

    def __init__(self, shape: Shape) -> None:
        params: Fpmm = shape.params
        self.s, self.sigma, self.theta = params.digits, params.sigma, params.theta
        self.alpha = alpha(shape)
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
        """One of the three steps of task 2 in a visit; in other slots its DSP block is don't care."""
        g, k = divmod(x, self.theta)
        return (g, k) if k < 3 else None

    def factor(self, x: int) -> Index | None:
        """The digit of P' in that step."""
        k = x % self.theta
        return (k % 2,) if k < 3 else None

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

    A column holds slot x in cycle c + x. Below, e is the cycle in which P0 of task 1 has slot 0.
    """
    at = Slots(shape)
    w, s, theta, fast = shape.params.radix_bits, at.s, at.theta, shape.own["version"]
    h, e = w // 2, epsilon(shape)
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
            register(f"{name}{k}_m", w, f"{name.upper()}{k}M", c - 1),
            register(f"{name}{k}_p", w + 1, f"{name.upper()}{k}", c),
        )

    def task1(k: int, c: int) -> tuple[Column, ...]:
        x, y = register(f"v{k}_x", h, f"a{k // 2}", c - 2), register(f"v{k}_y", h, f"b{k % 2}", c - 2)
        return dsp("v", k, c, x, y)

    def task3(k: int, c: int) -> tuple[Column, ...]:
        x = register(f"w{k}_x", h, ("QL", "QH")[k // 2], c - 2, at.held)
        return dsp("w", k, c, x, register(f"w{k}_y", h, f"p{k % 2}", c - 2, at.constant))

    small = (*task1(0, e + 1)[:3], wire("v0_p", w + 1, "V0", e))  # no register behind the sum
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
        *(column for k in (1, 2, 3) for column in task1(k, e + k)),
        wire("tm_d", w, "t", e - 1, at.returned),
        logic("feed", 1, e - 1, lambda x: int(at.word(x).it > 0)),
        register("tm", w, "TM", e),
        register("tm_hi", h, "TM1", e + 2),
        register("vl", h + 1, "VL", e + 1),
        register("cy0", 1, "cy0", e + 2),
        register("vl_d1", h, "v0", e + 2),
        register("vl_d2", h, "v0", e + 3),
        register("vh", h + 1, "VH", e + 3),
        register("vu", w, "VU", e + 4),
        register("u", w + 1, "U", e + 4),
        register("q_d", h, "X", e + 2, at.step),
        register("q_x", h, "X", e + 3, at.step),
        register("q_y", h, "P'", e + 3, at.factor),
        register("q_m", w, "QM", e + 4, at.step),
        register("q_p", w + 1, "Q", e + 5, at.step),
        register("ql", h, "QL", e + 6, at.held),
        register("qh", h, "QH", e + 8, at.held),
        wire("p_word", w, "p", e + 6, at.constant),
        *(column for k in range(4) for column in task3(k, e + 9 + k)),
        register("w_p0", h, "w0", e + 11),
        register("u_late", w, "u", e + 11),
        register("w_p3", w, "W3", e + 13),
        register("s", w + 1, "S", e + 12),
        register("t", w + 1, "T", e + 13),
        register("o", w, "t", e + 14),
        logic("r_valid", 1, e + 16, lambda x: int(at.word(x).it == s - 1)),  # word j comes with the slot after slot j
        logic("r_lm", lm_bits, e + 16, at.lm),
        wire("r", w, "t", e + 15),
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
    h: int = shape.params.radix_bits // 2
    fast = shape.own["version"]
    return (44 + 2 * (alpha(shape) - LOOP) + 23 + 4 * fast) * h + 6


ARCHITECTURE = Architecture(
    id="fpmm",
    title="FPMM, interleaved multipliers in nine DSP blocks",
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
        Cost("cycles", "clock cycles", "lambda = alpha(s - 1) + 15 + s + epsilon, alpha = sigma*theta", latency),
        Cost("interval", "clock cycles", "tau = alpha*s, for sigma products", turn),
        Cost("DSP", "DSP48", "4 for a_i*b_j, 1 for q, 4 for q*p_j", lambda shape: 9),
        Cost("registers", "bits", "words of w bits: alpha + 7, digits of w/2: 23, 27 in the fast version, 6 carries; "
             "outside the DSP blocks and memories", _data_bits),
    ),
    published={
        "cycles": {"128 bits, F44 and S44": [75, 74], "256 bits, F28, S28, F48, S48": [143, 142, 255, 254]},
        "DSP": {"w = 34": 9},
        "area": {"F44D, Virtex-7": {"LUT": 600, "FF": 758}, "F44B, Virtex-7": {"LUT": 545, "FF": 725, "BRAM": 2}},
    },
    overlap=Overlap(next_start, results, owner),
    defaults=defaults,
)  # fmt: skip
