# SPDX-License-Identifier: Apache-2.0
"""Design spaces and their Pareto fronts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.fpmm import figures as published
from limbtrace.refmodels.papers.fpmm.design import WIDTHS, Design
from limbtrace.refmodels.papers.fpmm.pipeline.timing import latency, turn
from limbtrace.refmodels.registry import space
from limbtrace.refmodels.settings import MAX_WIDTH
from limbtrace.refmodels.space import front

FPMM = space("fpmm")


def named(bits: int) -> dict[str, Design]:
    return {FPMM.name(design): design for design in FPMM.designs(bits)}


def figures(design: Design) -> dict[str, object]:
    return {quantity.name: quantity.value(design) for quantity in FPMM.quantities}


def obstacle(bits: int, design: Design) -> str:
    """The reason why the architecture does not support this design; empty if it does."""
    try:
        FPMM.shape(bits, design)
    except ParameterError as error:
        return str(error)
    return ""


def register_bits(bits: int, design: Design) -> int:
    costs = {cost.name: cost for cost in FPMM.architecture.costs}
    return costs[FPMM.costs["register_bits"]].value(FPMM.shape(bits, design))


@given(st.lists(st.none() | st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_the_front_is_what_nothing_beats(points: list[tuple[int, int, int] | None]) -> None:
    known = [point for point in points if point is not None]

    def beaten(point: tuple[int, ...]) -> bool:
        return any(other != point and all(map(int.__le__, other, point)) for other in known)

    assert front(points) == [point is not None and not beaten(point) for point in points]


def test_equal_points_are_on_the_front_together() -> None:
    assert front([(1, 2), (1, 2), (2, 1), (2, 2), None]) == [True, True, True, False, False]
    assert front([]) == []


@given(st.integers(2, MAX_WIDTH))
def test_every_width_has_designs_that_hold_its_moduli(bits: int) -> None:
    designs = named(bits)
    assert len(designs) == len(FPMM.designs(bits)) == 4 * 2 * 2 * 5 * 2
    assert {design.w for design in designs.values()} == set(WIDTHS)
    for name, design in designs.items():
        assert design.s >= 2
        assert 4 * (2**bits - 1) < 2**design.r_bits
        assert design.s == 2 or 4 * (2**bits - 1) >= 2 ** (design.r_bits - design.w)
        assert 0 <= design.sigma - design.sigma_min <= 4
        assert (design.code or name) == name
    assert any(not obstacle(bits, design) for design in designs.values())


@given(st.integers(2, 4096), st.integers(0, 159), st.integers(1, 40))
def test_times_of_algorithm_3(bits: int, number: int, products: int) -> None:
    design = FPMM.designs(bits)[number]
    known = figures(design)
    time = FPMM.time
    assert known["lambda"] == design.latency == design.time(1)
    assert time(design, 1) == design.latency + 8 * (design.w == 17 and design.alpha >= 13)
    assert time(design, products + design.sigma) == time(design, products) + design.interval
    assert all(time(design, k + 1) - time(design, k) == design.theta for k in range(1, design.sigma))
    assert known["lambda"] - design.interval == design.alpha_min - design.alpha + design.s + design.epsilon  # E6
    assert known["cycles_per_product"] == design.interval / design.sigma
    small = Design(design.s, design.sigma, design.theta, design.w, "S", design.storage)
    fast = Design(design.s, design.sigma, design.theta, design.w, "F", design.storage)
    assert time(fast, products) == time(small, products) + 1


def printed(metric: str) -> list[tuple[str, int, str, str]]:
    """(code, bits, device, value) of Table II."""
    return [
        (figure.design.split()[0], figure.bits or 0, figure.design.split()[-1], figure.value)
        for figure in published.FIGURES.rows
        if figure.table == 2 and figure.metric == metric
    ]


@pytest.mark.parametrize(("code", "bits", "device", "value"), printed("lambda"))
def test_table_2_is_in_the_space(code: str, bits: int, device: str, value: str) -> None:
    design = named(bits)[code]
    shape = FPMM.shape(bits, design)
    assert figures(design)["lambda"] == latency(shape) == int(value)
    assert figures(design)["tau"] == turn(shape)
    assert device in FPMM.clocks(bits, design)


@pytest.mark.parametrize(("code", "bits", "device", "value"), printed("time of 8 products"))
def test_times_of_table_2(code: str, bits: int, device: str, value: str) -> None:
    """Agreement within the rounding of the table, half a megahertz and a nanosecond."""
    design = named(bits)[code]
    mhz = FPMM.clocks(bits, design)[device]
    cycles = FPMM.time(design, 8)
    assert 1000 * cycles / (mhz + 1) - 1 < int(value) < 1000 * cycles / (mhz - 0.5) + 1


def test_table_2_is_whole() -> None:
    assert len(printed("lambda")) == len(printed("time of 8 products")) == len(printed("frequency")) == 24


@pytest.mark.parametrize(
    ("bits", "w", "s", "alpha_min", "sigma_min", "alpha", "latency", "tau", "eight"),
    [
        (128, 17, 8, 5, 1, 8, 77, 64, 525),
        (128, 34, 4, 15, 4, 16, 75, 64, 151),
        (128, 51, 3, 29, 10, 30, 100, 90, 121),
        (128, 68, 2, 47, 24, 48, 105, 96, 119),
        (256, 17, 16, 5, 1, 16, 269, 256, 2061),
        (256, 34, 8, 15, 2, 16, 143, 128, 535),
        (256, 51, 6, 29, 5, 30, 193, 180, 385),
        (256, 68, 4, 47, 12, 48, 203, 192, 231),
    ],
)
def test_every_word_width(
    bits: int, w: int, s: int, alpha_min: int, sigma_min: int, alpha: int, latency: int, tau: int, eight: int
) -> None:
    design = next(d for d in FPMM.designs(bits) if (d.w, d.version, d.theta) == (w, "F", d.s))
    known = figures(design)
    expected = {"s": s, "alpha_min": alpha_min, "sigma_min": sigma_min, "sigma": sigma_min, "alpha": alpha}
    assert {**known, **expected, "lambda": latency, "tau": tau} == known
    assert design.time(8) == eight
    assert (obstacle(bits, design) == "") == (w == 34 or (bits, w) == (256, 17))


def test_what_our_core_cannot_be() -> None:
    designs = {bits: named(bits) for bits in (64, 128)}
    loops = {design.w: figures(design)["alpha_ours"] for design in designs[128].values()}
    assert loops == dict(zip(WIDTHS, [13, 15, 19, 26], strict=True))
    for name in ("F10.3B.w51", "F24.2B.w68"):
        assert "the pipeline takes words of an even number of up to 34 bits" in obstacle(128, designs[128][name])
    assert obstacle(128, designs[128]["F1.8B.w17"]).startswith(
        "sigma: 1 times theta = 8 is less than the loop of 13 cycles; sigma is at least 2"
    )
    assert obstacle(128, designs[128]["F2.8B.w17"]) == ""
    assert obstacle(64, designs[64]["F82B"]).startswith(  # two words: a quotient digit takes longer than a visit
        "theta: 2: the DSP block of task 2 takes 3 slots, which theta = s + 1 gives it"
    )
    assert obstacle(64, designs[64]["F53B"]) == ""
    assert figures(designs[64]["F82B"])["dsps"] == 10
    assert figures(designs[64]["F53B"])["dsps"] == 9


@given(st.integers(67, 4096), st.integers(40, 79))
def test_the_architecture_has_the_times_of_algorithm_3(bits: int, number: int) -> None:
    """With words of 34 bits every design can be built."""
    design = FPMM.designs(bits)[number]
    shape = FPMM.shape(bits, design)
    assert design.w == 34
    assert (latency(shape), turn(shape)) == (design.latency, design.interval)


@given(st.integers(2, 4096), st.integers(0, 39))
def test_words_of_17_bits_take_the_cycles_of_our_loop(bits: int, number: int) -> None:
    design = FPMM.designs(bits)[number]
    assert design.w == 17
    assert (obstacle(bits, design) == "") == (design.alpha >= 13)
    if design.alpha >= 13:
        shape = FPMM.shape(bits, design)
        assert (latency(shape), turn(shape)) == (FPMM.time(design, 1), design.interval)
        assert latency(shape) == design.latency - design.alpha_min + 13


@pytest.mark.parametrize(
    ("bits", "code", "count", "control"),
    [(128, "F44D", 1337, 90), (128, "S44B", 1265, 86), (256, "F28B", 1319, 72), (128, "F35D", 1306, 93),
     (256, "S49D", 1954, 95), (128, "F2.8D.w17", 582, 68), (256, "S1.16B.w17", 585, 71), (128, "F3.9D.w17", 794, 93)],
)  # fmt: skip
def test_register_bits_are_those_of_the_core(bits: int, code: str, count: int, control: int) -> None:
    """Counted by Yosys in the elaborated core, without those of the DSP blocks; control is not in the formula."""
    assert register_bits(bits, named(bits)[code]) == count - control


def test_memories() -> None:
    designs = named(128)
    assert (figures(designs["F44B"])["ram_bits"], figures(designs["F44D"])["ram_bits"]) == (2 * 4 * 136, 2 * 4 * 136)
    assert (figures(designs["F44B"])["block_rams"], figures(designs["F44D"])["block_rams"]) == (2, 0)
    assert figures(designs["F10.3B.w51"])["block_rams"] == 4
    assert figures(named(MAX_WIDTH)["F2.482B"])["block_rams"] == 4


def test_other_works() -> None:
    (ma16,) = FPMM.rivals(128)
    assert [ma16.time(k) for k in (1, 2, 8)] == [27, 47, 167]
    assert ma16.clocks == {"V4": 252, "V5": 292, "S6": 210, "V7": 350}
    assert [rival.time(8) for rival in FPMM.rivals(256)] == [233]
    assert FPMM.rivals(192) == ()
    assert FPMM.clocks(192, named(192)["F36D"]) == {}


def test_a_core_without_a_choice() -> None:
    with pytest.raises(ParameterError, match=r"core: there are no designs of 'iddmm_arch2' to choose from; .*fpmm"):
        space("iddmm_arch2")
