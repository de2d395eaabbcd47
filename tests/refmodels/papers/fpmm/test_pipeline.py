# SPDX-License-Identifier: Apache-2.0
"""The schedule of the FPMM pipeline against a register-level simulator, the digit level and the published counts."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Architecture, Shape, TableProduct, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import run_stream
from limbtrace.refmodels.papers.fpmm.pipeline import registers, table
from limbtrace.refmodels.registry import ARCHITECTURES

ARCH = ARCHITECTURES["fpmm"]
TABLE_II = ("F44B", "S44B", "F44D", "S44D", "F28B", "S28B", "F28D", "F48B", "S48B", "F48D")
OTHERS = ("F35D", "S35B", "F45D", "F54D", "F38D", "F29D", "S39B", "F49D")


REGISTERS = [
    *("slot", "lm", "c2_slot", "c2_lm", "c2_iter", "c2_active", "c3_slot", "c3_lm", "c3_iter", "c3_active"),
    *("a2", "b2", "a4", "b4", "a5", "b5", *(f"{row}{k}_{what}" for row in "vw" for k in range(4) for what in "xymp")),
    *("tm", "vl", "cy0", "vl_d1", "vl_d2", "vh", "vu", "u", "q_d", "q_x", "q_y", "q_m", "q_p", "ql", "qh"),
    *("w_p3", "w_high1", "w_high", "v_high", "s", "t", "o", "r", "r_valid"),
]
"""Registers except those in delays, of words of one and of two digits."""


class Machine:
    """Clocked registers and memories of the pipeline, without a schedule."""

    def __init__(self, shape: Shape) -> None:
        params = shape.params
        self.w, self.s, self.sigma, self.theta = params.radix_bits, params.digits, params.sigma, params.theta
        self.r_digits = 1 if self.w % 2 else 2
        self.h, self.fast = self.w // self.r_digits, shape.own["version"]
        self.e = 7 + self.fast
        self.p = [*params.modulus_digits, 0]
        self.p_prime = params.digit_inverse
        self.next_iteration = [0] * self.sigma
        self.memory = {(name, lm, j): 0 for name in "ab" for lm in range(self.sigma) for j in range(self.s)}
        self.r: dict[str, int] = dict.fromkeys(REGISTERS, 0)
        self.lines: dict[str, deque[int]] = {}
        for _ in range(2 * self.sigma * self.theta):  # as after a set-up
            self.clock(False, 1, 1)

    def late(self, name: str, cycles: int, value: int) -> int:
        """A delay line: the value from that many cycles before."""
        line = self.lines.setdefault(name, deque([0] * cycles))
        line.append(value)
        return line.popleft()

    def slot0(self, cycle: int) -> bool:
        """Whether slot 0 of a visit is in the stage of that cycle."""
        return bool(self.r["slot"] == (cycle - 1) % self.theta)

    def row_of_dsps(self, name: str, fast: int, x0: int, x1: int, y: int) -> dict[str, int]:
        """DSP blocks of a product of words; x1 arrives 1 + fast cycles after x0."""
        h, r = self.h, self.r
        y0, y1 = y % 2**h, y >> h
        y1_late = self.late(f"{name}y1", fast, y1)
        xs = (x0, self.late(f"{name}x0", fast, x0), x1, self.late(f"{name}x1", 1, x1))
        ys = (y0, y1_late, self.late(f"{name}y0", fast + 1, y0), self.late(f"{name}y1b", 2, y1_late))
        new: dict[str, int] = {}
        for k in range(self.r_digits**2):
            z = 0 if k == 0 else r[f"{name}{k - 1}_p"] >> (h if k % 2 else 0)
            new |= {f"{name}{k}_x": xs[k], f"{name}{k}_y": ys[k]}
            new |= {f"{name}{k}_m": r[f"{name}{k}_x"] * r[f"{name}{k}_y"], f"{name}{k}_p": r[f"{name}{k}_m"] + z}
        return new

    def clock(self, load: bool, a: int, b: int) -> dict[str, int]:
        """One cycle: the combinational values, and the registers after the edge."""
        w, h, e, s, theta, r = self.w, self.h, self.e, self.s, self.theta, self.r
        if not self.fast:
            r["v0_p"] = r["v0_m"]
        new: dict[str, int] = {}
        first = r["slot"] == 0
        iteration = self.next_iteration[r["lm"]]
        active = int(load or iteration > 0)
        row = {"lm_o": r["lm"], "ready": int(first and iteration == 0)}
        if first:
            row |= {"iter": iteration, "active": active}
            new |= {"c2_lm": r["lm"], "c2_iter": iteration, "c2_active": active}
            self.next_iteration[r["lm"]] = iteration + 1 if active and iteration < s - 1 else 0
        last_slot = r["slot"] == theta - 1
        new |= {"slot": 0 if last_slot else r["slot"] + 1, "lm": (r["lm"] + last_slot) % self.sigma}
        new |= {"c2_slot": r["slot"], "a2": a, "b2": b}
        new |= {f"c3_{name}": r[f"c2_{name}"] for name in ("slot", "lm", "iter", "active")}

        write = r["c2_active"] and r["c2_iter"] == 0 and r["c2_slot"] < s
        width = (s - 1).bit_length()
        row |= {"wr_en": int(write), "wr_addr": (r["c2_lm"] << width) + r["c2_slot"] % 2**width}
        word = r["c3_active"] and r["c3_slot"] < s
        new["a4"] = self.memory["a", r["c3_lm"], r["c3_iter"]] if word else 0
        new["b4"] = self.memory["b", r["c3_lm"], r["c3_slot"]] if word else 0
        if write:
            self.memory["a", r["c2_lm"], r["c2_slot"]] = r["a2"]
            self.memory["b", r["c2_lm"], r["c2_slot"]] = r["b2"]
        new |= {"a5": r["a4"], "b5": r["b4"]}

        one = self.r_digits == 1
        loop, digit_1 = (13, 0) if one else (15, 2)
        x1 = self.late("a1", 1 + self.fast, r["a5"] >> h)
        new |= self.row_of_dsps("v", self.fast, r["a5"] % 2**h, x1, r["b5"])
        feed = self.late("feed", e - 4, int(word and r["c3_iter"] > 0))
        back = self.late("pad", self.sigma * theta - loop, r["t"] % 2**w)
        row |= {"feed": feed, "tm_d": back}
        new["tm"] = back if feed else 0
        new["vl"] = r["v0_p"] % 2**h + r["tm"] % 2**h
        new["q_d"] = r["vl"] % 2**h
        new["v_high"] = r["v0_p"] >> h
        v_low, v_high, kv = r["vl"] % 2**h, r["v_high"], r["vl"] >> h
        z = 0
        if not one:
            r["tm_hi"] = self.late("tm_hi", 2, r["tm"] >> h)
            new |= {"cy0": r["vl"] >> h, "vl_d1": r["vl"] % 2**h, "vl_d2": r["vl_d1"]}
            new["vh"] = r["v2_p"] % 2**h + r["tm_hi"] + r["cy0"]
            v_low, v_high, kv = (r["vh"] % 2**h << h) + r["vl_d2"], r["v3_p"], r["vh"] >> h
            if not self.slot0(e + 1):
                new["q_d"] = r["vl_d1"] if self.slot0(e + 2) else r["vh"] % 2**h
            z = r["q_p"] >> h if self.slot0(e + 5) else r["q_p"] if self.slot0(e + 6) else 0
        new["vu"] = v_high + kv
        new["u"] = v_low + r["vu"] + (r["u"] >> w)

        new["q_x"] = r["q_d"]
        new["q_y"] = self.p_prime >> h if self.slot0(e + 3) and not one else self.p_prime % 2**h
        new["q_m"] = r["q_x"] * r["q_y"]
        new["q_p"] = r["q_m"] + z
        if self.slot0(e + 5):
            new["ql"] = r["q_p"] % 2**h
        if self.slot0(e + 7):
            new["qh"] = r["q_p"] % 2**h

        row["p_word"] = self.p[(r["slot"] - e - 5) % theta]
        new |= self.row_of_dsps("w", 1, r["ql"], r["qh"], row["p_word"])
        r["u_late"] = self.late("u", 7, r["u"] % 2**w)
        new |= {"w_high1": r["w0_p"] >> h, "w_high": r["w_high1"], "w_p3": r["w3_p"]}
        w_low, w_high = r["w0_p"] % 2**h, r["w_high"]
        if not one:
            r["w_p0"] = self.late("w_p0", 2, r["w0_p"] % 2**h)
            w_low, w_high = (r["w2_p"] % 2**h << h) + r["w_p0"], r["w_p3"]
        new["s"] = r["u_late"] + w_low + (r["s"] >> w)
        new["t"] = r["s"] % 2**w + w_high + (r["t"] >> w)
        new |= {"o": r["t"] % 2**w, "r": r["o"]}
        new["r_valid"] = self.late("last", e + 10 + digit_1, int(word and r["c3_iter"] == s - 1))
        r_lm = self.late("r_lm", e + 11 + digit_1, r["c3_lm"])
        row |= {"r_lm": r_lm, "r_valid": r["r_valid"], "r": r["r"], "v0_p": r["v0_p"]}

        wires = set(row) - ({"v0_p"} if self.fast else set())
        self.r = {**r, **new}
        delays = ("u",) if one else ("u", "tm_hi", "w_p0")
        after = self.r | {"u_late" if name == "u" else name: self.lines[name][0] for name in delays}
        return {**after, **{name: row[name] for name in wires}}


def shape_of(modulus: int, **given: Any) -> Shape:
    return ARCH.resolve(modulus, given)


def stream_of(
    shape: Shape, pairs: Sequence[tuple[int, int]], gaps: Sequence[int] = ()
) -> tuple[Shape, list[TimedPair]]:
    """A stream with that many rows between the words of one product and the earliest start of the next."""
    starts: tuple[int, ...] = ()
    for k in range(len(pairs)):
        wanted = starts[-1] + 1 + gaps[k % len(gaps)] if starts and gaps else 0
        starts = (*starts, ARCH.next_start(replace(shape, starts=starts), wanted))
    return replace(shape, starts=starts), [TimedPair(a, b) for a, b in pairs]


def run(shape: Shape, jobs: list[TimedPair], architecture: Architecture = ARCH) -> list[TableProduct]:
    return list(architecture.products(shape, jobs, architecture.plan(shape)))


def agree(shape: Shape, jobs: list[TimedPair], architecture: Architecture = ARCH) -> list[TableProduct]:
    """Every cell that is not don't care equals the machine's value, and results are the closed form."""
    plan = architecture.plan(shape)
    products = run(shape, jobs, architecture)
    for product in products:
        assert product.result == ARCH.model.closed_form(shape.params, product.a, product.b)
    machine, words = Machine(shape), shape.params.split
    on_ports = {
        start + j: (j == 0, a, b)
        for start, job in zip(shape.starts, jobs, strict=True)
        for j, (a, b) in enumerate(zip(*words(job.a, job.b), strict=True))
    }
    for row in range(plan.cycles):
        seen = machine.clock(*on_ports.get(row, (False, 1, 1)))
        for column, cells in zip(plan.columns, products[0].table, strict=True):
            if (cell := cells[row]) is not None:
                assert cell >> column.width == 0
                assert (column.name, row, cell) == (column.name, row, seen[column.name])
    return products


def operands(shape: Shape, count: int, seed: int) -> list[tuple[int, int]]:
    """Extreme operands beside zeros and random ones."""
    top, random = 2 * shape.params.modulus - 1, Random(seed)
    fixed = [(top, top), (0, 0), (top, top), (shape.params.modulus, 1), (1, top)]
    return [fixed[k] if k < 5 else (random.randint(0, top), random.randint(0, top)) for k in range(count)]


def design(code: str) -> fpmm.Design:
    return fpmm.Design.parse(code, 256 if code[2] > "5" else 128)


def of_code(code: str, modulus: int | None = None) -> Shape:
    unit = design(code)
    largest = (1 << unit.r_bits - 2) - 1
    version = "fast" if code[0] == "F" else "small"
    return shape_of(modulus or largest, w=34, s=unit.s, sigma=unit.sigma, theta=unit.theta, version=version)


@pytest.mark.parametrize("code", [*TABLE_II, *OTHERS])
def test_codes_back_to_back(code: str) -> None:
    """Latency, interval and the time for k products are those of the paper, and every cell matches the machine."""
    unit, shape = design(code), of_code(code)
    count = 2 * unit.sigma + 1
    stream, jobs = stream_of(shape, operands(shape, count, 1))
    plan = ARCH.plan(stream)
    names = [column.name for column in plan.columns]
    products = agree(stream, jobs) if code[3] == "D" else run(stream, jobs)
    table = products[0].table
    valid, lm = table[names.index("r_valid")], table[names.index("r_lm")]
    for k, start in enumerate(stream.starts):
        assert start == unit.interval * (k // unit.sigma) + unit.theta * (k % unit.sigma)
        last = start + unit.latency - 1  # row 0 is cycle 1
        assert last + 1 == unit.time(k + 1)
        out = range(last + 1 - unit.s, last + 1)
        assert [valid[row] for row in out] == [1] * unit.s
        assert [lm[row] for row in out] == [k % unit.sigma] * unit.s
    assert valid.count(1) == count * unit.s
    assert (plan.cycles, ARCH.interval(shape)) == (unit.time(count), unit.theta)
    values = {cost.name: cost.value(shape) for cost in ARCH.costs}
    assert (values["cycles"], values["interval"], values["DSP"]) == (unit.latency, unit.interval, unit.dsps)


@given(st.data())
def test_schedule_is_what_the_machine_does(data: st.DataObject) -> None:
    w = data.draw(st.sampled_from([*range(2, 35, 2), *range(3, 18, 2)]))
    s = data.draw(st.integers(2, 5))
    least, loop = (2, 13) if w % 2 else (3, 15)
    theta = max(s + data.draw(st.integers(0, 1)), least)
    sigma = -(-loop // theta) + data.draw(st.integers(0, 1))
    p = data.draw(st.integers(1, (1 << (w * s - 2)) // 2 - 1)) * 2 + 1
    version = data.draw(st.sampled_from(["fast", "small"]))
    shape = shape_of(p, w=w, s=s, sigma=sigma, theta=theta, version=version)
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, 2 * p - 1)] * 2), min_size=1, max_size=4))
    gaps = data.draw(st.lists(st.integers(0, 40), max_size=3))
    agree(*stream_of(shape, pairs, gaps))


@pytest.mark.parametrize(
    ("w", "s", "theta", "sigma"), [(2, 2, 3, 5), (2, 3, 3, 5), (2, 16, 16, 1), (3, 2, 2, 7), (3, 13, 13, 1)]
)
def test_every_neighbour_of_a_tiny_modulus(w: int, s: int, theta: int, sigma: int) -> None:
    """All operands next to each other; a unit of one logical multiplier is its own neighbour."""
    shape = shape_of(3, w=w, s=s, sigma=sigma, theta=theta)
    pairs = [(a, b) for a in range(6) for b in range(6)]
    stream, jobs = stream_of(shape, pairs, (0, 0, 1, 0, 25))
    for product in run(stream, jobs):
        assert product.result == ARCH.model.closed_form(shape.params, product.a, product.b)
    if s < 13:
        agree(stream, jobs)


@pytest.mark.parametrize("code", ["F44D", "S35D", "F29D", "S28D"])
def test_micro_steps_are_the_steps(code: str) -> None:
    """The registers hold the words, quotient digits and carries of Algorithm 2."""
    shape = of_code(code)
    stream, jobs = stream_of(shape, operands(shape, 5, 3), (0, 30))
    theta, w, h = shape.params.theta, shape.params.radix_bits, shape.params.radix_bits // 2
    steps = ARCH.steps(stream, *zip(*(shape.params.split(job.a, job.b) for job in jobs), strict=True))
    micro = {(name, index): value for name, index, value in steps}
    digits = run_stream(shape.params, [(job.a, job.b) for job in jobs], [start // theta for start in stream.starts])
    at = {(name, index): value for name, index, value in digits.steps}
    assert len([name for name, _ in at if name == "q"]) > 4 * shape.params.digits
    for name, index in at:
        if name == "q":
            assert micro["QL", index] + (micro["QH", index] << h) == at[name, index]
        if name != "u":
            continue
        slot = {name: micro[name, index] for name in ("TM", "VL", "VH", "V3", "VU", "U", "W0", "W2", "W3", "S", "T")}
        v = (slot["VU"] << w) + (slot["VH"] % 2**h << h) + slot["VL"] % 2**h
        assert (slot["TM"], v) == (at["t_in", index], at["v", index])
        assert micro["u", index] == at["u", index]
        kc = slot["U"] >> w
        assert slot["VU"] + kc == at["d", index]
        ks, kt, w3 = slot["S"] >> w, slot["T"] >> w, slot["W3"]
        assert micro["t", index] == at["t_out", index]
        assert w3 + ks + kt == at["c", index]
        assert ks <= 1
        assert kt <= 1


@pytest.mark.parametrize(
    ("bits", "settings", "latency", "interval"),
    [
        (128, {}, 141, 128),
        (128, {"version": "small"}, 140, 128),
        (128, {"theta": 9}, 155, 144),
        (256, {}, 277, 256),
        (256, {"version": "small"}, 276, 256),
        (256, {"sigma": 2}, 517, 512),
    ],
)
def test_single_digits(bits: int, settings: dict[str, Any], latency: int, interval: int) -> None:
    """With words of 17 bits a product takes 8 cycles longer than by Algorithm 3, whose loop has 5 cycles, not 13."""
    shape = shape_of((1 << bits) - (159 if bits == 128 else 189), w=17, **settings)
    params = shape.params
    version = "S" if "version" in settings else "F"
    unit = fpmm.Design(params.digits, params.sigma, params.theta, 17, version)
    values = {cost.name: cost.value(shape) for cost in ARCH.costs}
    assert (values["cycles"], values["interval"], values["DSP"]) == (latency, interval, 3)
    assert (unit.latency + 8, unit.interval, unit.dsps) == (latency, interval, 3)
    stream, jobs = stream_of(shape, operands(shape, 2 * params.sigma + 3, 7))
    products = agree(stream, jobs)
    valid = products[0].table[[column.name for column in ARCH.columns(stream)].index("r_valid")]
    assert valid[latency - params.digits : latency] == [1] * params.digits
    assert valid.index(1) == latency - params.digits


def test_corner_vectors_of_the_paper_s_sizes() -> None:
    p = 2**128 - 159
    wanted = {
        (2 * p - 1, 2 * p - 1): 0x6FB11B5EFE63D2EB11B5EFE63D2EB0D6,
        (p, 1): p,
        (2**100, 2**100): 0x10000000000000000,
        (0x0123456789ABCDEF0FEDCBA987654321, 0xFEDCBA98765432100123456789ABCDEF): 0xE4CD12ECC5D9141C216C411DF90DD2C5,
        (p, p): p,
        (7, 0): 0,
    }
    stream, jobs = stream_of(of_code("F44D", p), list(wanted))
    assert [product.result for product in run(stream, jobs)] == list(wanted.values())


class Forward(tuple[int, ...]):
    """Starts of which only the last ones may be read, since a stream may have many."""

    def __iter__(self) -> Iterator[int]:
        raise AssertionError


def test_starts() -> None:
    shape = of_code("F44D")
    taken = replace(shape, starts=(0, 4))
    assert [ARCH.next_start(taken, row) for row in (0, 5, 8, 9, 13, 16, 63, 64, 66)] == [
        8,
        8,
        8,
        12,
        24,
        24,
        64,
        64,
        68,
    ]
    jobs = [TimedPair(1, 1, 1), TimedPair(1, 1, 17)]
    with pytest.raises(
        ParameterError, match=r"^operands: product 1 cannot start in cycle 17: the next cycle .* is 21$"
    ):
        list(ARCH.placed(shape, jobs))
    long_ago = replace(shape, starts=Forward(range(0, 6400, 16)))
    assert ARCH.next_start(long_ago, 0) == 6388
    late = [TimedPair(1, 1, 13), TimedPair(2, 2), TimedPair(3, 3, 77)]
    assert [start for _, start in ARCH.placed(shape, late)] == [13, 17, 77]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"w": 51}, r"^radix: 2\^51: .* an even number of up to 34 bits, or of an odd number of up to 17$"),
        ({"w": 19}, r"^radix: 2\^19: "),
        ({"w": 36}, r"^radix: 2\^36: "),
        ({"s": 7, "sigma": 2}, r"^sigma: 2 times theta = 7 is less than the loop of 15 cycles; sigma is at least 3$"),
        ({"w": 17, "s": 12, "sigma": 1}, r"^sigma: 1 times theta = 12 is less than .* 13 cycles; sigma is at least 2$"),
        ({"version": "quick"}, r"^version: fpmm takes small or fast, not 'quick'$"),
        ({"form": "printed"}, r"^form: "),
    ],
)
def test_what_cannot_be_built(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        ARCH.resolve((1 << 200) - 75, given)


def test_small_moduli_that_cannot_be_built() -> None:
    with pytest.raises(ParameterError, match=r"^s: the pipeline takes at least 2 words, not 1$"):
        ARCH.resolve(13, {"w": 34})
    with pytest.raises(ParameterError, match=r"^theta: 2: the DSP block of task 2 takes 3 slots"):
        ARCH.resolve((1 << 60) - 93, {"w": 34, "theta": 2})


def test_defaults_are_those_of_this_pipeline() -> None:
    """The model's limits follow the loop of Algorithm 3, which is shorter for narrow words, and allow one word."""
    found = [ARCH.resolve(modulus, given).params.named for modulus, given in (
        (13, {"s": 2}), ((1 << 60) - 93, {}), (0xEA7, {"w": 4}), ((1 << 255) - 19, {}),
        ((1 << 128) - 159, {"theta": 5}), (13, {"w": 3}), ((1 << 255) - 19, {"w": 17}), ((1 << 128) - 159, {"w": 17}),
    )]  # fmt: skip
    assert [tuple(named.values()) for named in found] == [
        (2, 5, 3), (2, 5, 3), (4, 4, 4), (8, 2, 8), (4, 3, 5), (2, 7, 2), (16, 1, 16), (8, 2, 8),
    ]  # fmt: skip


def test_the_version_has_a_name() -> None:
    shape = ARCH.resolve(13, {"s": 2, "version": "small"})
    assert (shape.own, ARCH.own_settings(shape)) == ({"version": 0}, {"version": "small"})


@pytest.mark.parametrize(("w", "code"), [(34, "F44D"), (34, "S35D"), (16, "F44D"), (17, "F44D"), (15, "S44D")])
def test_columns_are_the_tables_of_the_products(w: int, code: str) -> None:
    unit = design(code)
    version = "fast" if code[0] == "F" else "small"
    shape = shape_of((1 << (4 * w - 2)) - 1, w=w, s=4, sigma=unit.sigma, theta=unit.theta, version=version)
    stream, _ = stream_of(shape, [(0, 0)] * 3, (0, 50))
    jobs = [TimedPair(a, b) for a, b in operands(shape, 9, 5)]
    plan = ARCH.plan(stream)
    products = list(ARCH.products(stream, jobs, plan))
    (batch,) = ARCH.batches(stream, jobs, plan)
    assert batch.results == [product.result for product in products]
    for k in range(3):
        table = products[3 * k].table
        assert [batch.column(column, k) for column in range(len(plan.columns))] == table


def test_cells_belong_to_products() -> None:
    stream, _ = stream_of(of_code("F44D"), [(0, 0)] * 5)
    plan = ARCH.plan(stream)
    names = [column.name for column in plan.columns]
    assert plan.product_at(names.index("a4"), 3) == 0
    assert plan.product_at(names.index("a4"), 7) == 1
    assert plan.product_at(names.index("u"), 64 + 11) == 4
    assert plan.product_at(names.index("p_word"), 70) == 4


MUTATIONS = (
    ("sums: list[Digit] = [x[0] + y[0]]", "sums: list[Digit] = [x[0]]"),
    ("sums.append(x[k] + y[k] + (sums[-1] >> h))", "sums.append(x[k] + y[k])"),
    ("VU, kc = V_high + (v[-1] >> h), U >> w", "VU, kc = V_high, U >> w"),
    ("for digit in v], h) + VU + kc", "for digit in v], h) + VU"),
    ("_word(W, h) + ks", "_word(W, h)"),
    ("W_before + kt", "W_high + kt"),
    ("W_before + kt", "W_before"),
    ("j + 1 - alpha(shape)", "j - alpha(shape)"),
    ("sums.append(products[-1] + before)", "sums.append(products[-1])"),
    ("(sums[-1] >> h if i == 0 or j == len(x) - 1 else sums[-1])", "sums[-1]"),
    ("if j == 0:", "if j == 1:"),
    ("return self.slot(x + 1 - self.alpha)", "return self.slot(x - self.alpha)"),
    ("(2 if self.kind == REGISTER else 1)", "1"),
    ('Row("u_late",  w,           R, f + 9,', 'Row("u_late",  w,           R, f + 8,'),
)
OF_SINGLE_DIGITS = (
    *(mutation for mutation in MUTATIONS if not mutation[0].startswith(("sums.append", "(sums"))),
    ("sums[-1] if r > 1 else sums[-1] >> h", "sums[-1]"),
    ('Row("v_high",  w,           R, e + 1,', 'Row("v_high",  w,           R, e + 2,'),
    ('Row("w_high",  w,           R, e + 11,', 'Row("w_high",  w,           R, e + 10,'),
    ("e + fpmm.quotient_steps(r) - 1", "e + 2"),
)


def caught(text: str, other: str, shape: Shape) -> None:
    """Registers or columns with one change in their text do not agree with the machine."""
    (changed,) = (file for file in (registers, table) if text in Path(file.__file__ or "").read_text())
    source = Path(changed.__file__ or "").read_text()
    module = ModuleType(changed.__name__)
    exec(compile(source.replace(text, other), "mutant", "exec"), module.__dict__)
    faulty = module.__dict__
    broken = (
        replace(ARCH, steps=faulty["micro_steps"]) if changed is registers else replace(ARCH, columns=faulty["columns"])
    )
    stream, jobs = stream_of(shape, operands(shape, 9, 1))
    with pytest.raises((AssertionError, ValueError)):
        agree(stream, jobs, broken)


@pytest.mark.parametrize(("text", "other"), MUTATIONS)
def test_mutation_is_caught(text: str, other: str) -> None:
    caught(text, other, of_code("F44D"))


@pytest.mark.parametrize(("text", "other"), OF_SINGLE_DIGITS)
def test_mutation_is_caught_with_single_digits(text: str, other: str) -> None:
    caught(text, other, shape_of((1 << 66) - 1, w=17))
