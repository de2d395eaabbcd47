# SPDX-License-Identifier: Apache-2.0
"""The design space of Algorithm 3 of the FPMM paper, as corrected, and the part that our core supports."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm import figures as published
from limbtrace.refmodels.papers.fpmm.design import CODE_WIDTH, EPSILON, STORAGES, WIDTHS, Design
from limbtrace.refmodels.papers.fpmm.pipeline import ARCHITECTURE
from limbtrace.refmodels.space import Quantity, Rival, Space

SIGMAS = 5
"""Number of values of sigma that are explored for each theta, from the smallest on."""
BLOCK_WORDS, BLOCK_BITS = 512, 36
"""Number of words of an 18 Kb block RAM, and their width in bits."""
DEVICES = ("V4", "V5", "S6", "V7")


def designs(bits: int) -> Sequence[Design]:
    """All units for moduli of that many bits, with at least two words."""
    found = []
    for w in WIDTHS:
        s = max(fpmm.words(bits, w), 2)
        for version, theta, more, storage in product(EPSILON, (s, s + 1), range(SIGMAS), STORAGES):
            found.append(Design(s, fpmm.sigma_min(w, theta) + more, theta, w, version, storage))
    return found


def name(design: Design) -> str:
    """The specification code, extended by sigma.theta if these have more digits, and by w if it is not 34."""
    if design.code is not None:
        return design.code
    width = "" if design.w == CODE_WIDTH else f".w{design.w}"
    return f"{design.version}{design.sigma}.{design.theta}{design.storage}{width}"


def time(design: Design, products: int) -> int:
    """Cycles for k >= 1 independent products: those of Algorithm 3, or more where our core has a longer loop."""
    longer = fpmm.loop(fpmm.dsp_digits(design.w)) - design.alpha_min
    built = longer > 0 and design.padding >= longer
    return design.time(products) + built * longer


def _block_rams(design: Design) -> int:
    blocks = -(-design.w // BLOCK_BITS) * -(-design.sigma * design.s // BLOCK_WORDS)
    return 2 * blocks if design.storage == "B" else 0


QUANTITIES = (
    Quantity("code", "", "specification code of the paper, for words of 34 bits", lambda d: d.code),
    Quantity("version", "", "F fast, S small", lambda d: d.version),
    Quantity("storage", "", "operands in B block RAM, D distributed RAM", lambda d: d.storage),
    Quantity("latency_reduction", "", "theta = s", lambda d: d.theta == d.s),
    Quantity("w", "bits", "word", lambda d: d.w),
    Quantity("s", "words", "max(2, ceil((N+2)/w))", lambda d: d.s),
    Quantity("theta", "cycles", "from one logical multiplier to the next: s or s+1", lambda d: d.theta),
    Quantity("sigma_min", "", "ceil(alpha_min/theta)", lambda d: d.sigma_min),
    Quantity("sigma", "", "logical multipliers: sigma_min + 0..4", lambda d: d.sigma),
    Quantity("alpha_min", "cycles", "2*r^2 + 4*r - 1, r = ceil(w/17); no figure confirms it but for w = 34",
             lambda d: d.alpha_min),
    Quantity("alpha_ours", "cycles", "max(8 + r(r+1)/2, 6 + r^2) + 4, the same for a pipeline like our architecture's",
             lambda d: fpmm.loop(fpmm.dsp_digits(d.w))),
    Quantity("alpha", "cycles", "sigma*theta", lambda d: d.alpha),
    Quantity("padding", "words", "registers in the loop, alpha - alpha_min", lambda d: d.padding),
    Quantity("epsilon", "cycles", "before the first word of u: 8 fast, 7 small", lambda d: d.epsilon),
    Quantity("lambda", "cycles", "latency, alpha*(s-1) + alpha_min + s + epsilon; our core with w = 17, and so the "
             "times of k products, have alpha_ours in place of alpha_min", lambda d: d.latency),
    Quantity("tau", "cycles", "between two products of a logical multiplier, alpha*s", lambda d: d.interval),
    Quantity("cycles_per_product", "cycles", "in a steady stream, theta*s", lambda d: d.theta * d.s),
    Quantity("throughput", "products per cycle", "1/(theta*s)", lambda d: round(1 / (d.theta * d.s), 9)),
    Quantity("dsps", "blocks", "2*r^2 + ceil(r(r+1)/(2*theta))", lambda d: d.dsps),
    Quantity("ram_bits", "bits", "operands, 2*sigma*s*w", lambda d: 2 * d.sigma * d.s * d.w),
    Quantity("block_rams", "18 Kb blocks", "2*ceil(w/36)*ceil(sigma*s/512) with storage B, else none", _block_rams),
)  # fmt: skip


@cache
def _printed(bits: int) -> Mapping[tuple[str, str], int]:
    """(design on device, metric) -> figure of Tables II and III that is a whole number."""
    return {
        (figure.design, figure.metric): int(figure.value)
        for figure in published.FIGURES.rows
        if figure.table in (2, 3) and figure.bits == bits and figure.metric in ("frequency", "lambda")
    }


def _clocks(bits: int, design: str) -> Mapping[str, int]:
    figures = _printed(bits)
    return {
        device: figures[f"{design} on {device}", "frequency"]
        for device in DEVICES
        if (f"{design} on {device}", "frequency") in figures
    }


def rivals(bits: int) -> Sequence[Rival]:
    """MA16, for widths for which the paper has it."""
    interval = published.INTERVALS.get(bits)
    if interval is None:
        return ()
    return (Rival("MA16", _printed(bits)[f"MA16 on {DEVICES[0]}", "lambda"], interval, _clocks(bits, "MA16")),)


SPACE = Space(
    architecture=ARCHITECTURE,
    source=fpmm.paper("Algorithm 3 corrected"),
    designs=designs,
    name=name,
    quantities=QUANTITIES,
    costs={"register_bits": "registers"},
    area=("register_bits", "dsps"),
    time=time,
    rtl=lambda d: d.rtl,
    settings=lambda d: {"w": d.w, "s": d.s, "sigma": d.sigma, "theta": d.theta,
                        "version": "fast" if d.version == "F" else "small"},
    devices=DEVICES,
    clocks=lambda bits, design: _clocks(bits, name(design)),
    rivals=rivals,
)  # fmt: skip
