# SPDX-License-Identifier: Apache-2.0
"""Estimated cost of a request: seconds on the machine where `python -m tools.prices` was run.

A price is a sum of amounts, such as cases or steps, each times a coefficient that the command has fitted. It decides
who computes first and what waits for its turn, so a factor of 3 is near enough.
"""

import json
from collections import Counter
from functools import cache
from importlib.resources import files

from limbtrace.vectors.catalogue.moduli import ModuliRequest
from limbtrace.vectors.coverage import is_watched
from limbtrace.vectors.fp2 import Fp2Request
from limbtrace.vectors.grades.loop import MOST_OPERATIONS
from limbtrace.vectors.report.verdicts import is_observed
from limbtrace.vectors.request import CHAINED, DIRECTED, EVENTS, CoreRequest, Multiplier, VectorRequest

RANDOM = "random"
FILE = "prices.json"
"""Coefficients in seconds, by the name of the amount."""

OTHER_PRODUCTS, RELATIONS_OF_A_BIT = 40, 16
"""Products of other operands that a wrong result is compared with, and relations to the right one for each bit."""
Amounts = Counter[str]


@cache
def coefficients() -> dict[str, float]:
    """The fitted coefficients."""
    found: dict[str, float] = json.loads(files(__package__).joinpath(FILE).read_text())
    return found


def seconds(amounts: Amounts) -> float:
    """The price of a request. An amount that was not fitted, such as the events of a new model, costs nothing."""
    fitted = coefficients()
    return sum(fitted.get(name, 0) * amount for name, amount in amounts.items())


def of_set(vectors: VectorRequest) -> Amounts:
    """A vector set, its cases written."""
    multiplier, count = vectors.multiplier, vectors.count
    amounts = of_cases(multiplier, count)
    if vectors.kind_name in (EVENTS, DIRECTED) and multiplier.model.events:
        amounts += _of_events(multiplier, count)
    elif vectors.kind_name not in (RANDOM, CHAINED):  # conditions on operands
        amounts += Counter({"chosen case": count, "chosen case bit": count * multiplier.modulus.bits})
    if vectors.kind_name == CHAINED and multiplier.model.fed_back is not None:
        amounts += of_steps(multiplier, count)
    return amounts


def _of_events(multiplier: Multiplier, count: int) -> Amounts:
    """The events of that many products."""
    model, bits = multiplier.model, multiplier.modulus.bits
    work = model.work(multiplier.params)
    # Where events can happen is found once; models with digits of their own take another way there.
    places, own = len(model.events) * work, "digit " if multiplier.params.representations else ""
    return Counter(
        {
            f"{own}event case": count,
            f"{own}event case step": count * work,
            f"{own}event place": places,
            f"{own}event place bit": places * bits,
            f"{own}event of {model.id}": bits * bits,
        }
    )


def of_event_list(multiplier: Multiplier) -> Amounts:
    """Every event of a multiplier: its places, with operands for each."""
    model, bits = multiplier.model, multiplier.modulus.bits
    work = model.work(multiplier.params)
    places, own = len(model.events) * work, "digit " if multiplier.params.representations else ""
    return Counter(
        {
            "request": 1,
            f"{own}event list place": places,
            f"{own}event list place bit": places * bits,
            f"event list of {model.id}": bits * bits,
        }
    )


def of_moduli(asked: ModuliRequest) -> Amounts:
    """Directed moduli: primes are looked for among many numbers, others are only tested for being prime."""
    count, bits = asked.count, asked.bits
    work = {"prime bit3": count * bits**3} if asked.composite == "no" else {"modulus bit2": count * bits**2}
    return Counter({"request": 1, "modulus": count, **work})


def of_grade(multiplier: Multiplier, count: int) -> Amounts:
    """The grade of so many cases: those, mechanisms and faults, and mutants of the loop."""
    bits = multiplier.modulus.bits
    work = min(multiplier.model.work(multiplier.params), MOST_OPERATIONS)
    hardware = bits * bits if multiplier.model.result_alone else 0
    return Counter({"request": 1, "graded case": count, "graded bit2": hardware, "mutated step bit": work * bits})


def of_designs(media_type: str) -> Amounts:
    """The design space of a core; a picture of it loads Matplotlib."""
    return Counter({"design space": 1, "design picture": int(media_type.startswith("image/"))})


def of_explanation(multiplier: Multiplier) -> Amounts:
    """A product explained: its steps, their origins and those of four other pairs of operands, and its events
    if it has some and is small enough."""
    steps = of_steps(multiplier, 6)
    return steps + _of_events(multiplier, 1) if is_watched(multiplier) else steps


def of_observations(multiplier: Multiplier, count: int) -> Amounts:
    """Observations about that many wrong values: sums modulo p for each bit, and products of some other operands."""
    if not is_observed(multiplier):
        return Counter()
    products = of_cases(multiplier, count * OTHER_PRODUCTS)
    return products + Counter({"case": count * RELATIONS_OF_A_BIT * multiplier.modulus.bits})


def of_cases(multiplier: Multiplier, count: int) -> Amounts:
    """That many products, or chains, at the value level if their form has one."""
    model, params, bits = multiplier.model, multiplier.params, multiplier.modulus.bits
    amounts: Amounts = Counter({"request": 1, "case": count, "case bit": count * bits})
    if not params.closed:
        return amounts + of_steps(multiplier, count)
    if model.chain is not None:
        squarings = count * model.chain.length(params)
        return amounts + Counter({"squaring": squarings, "squaring bit2": squarings * bits * bits})
    if params.representations:  # written as digits, too
        amounts += Counter({"digit step": count * model.work(params), "digit bit": count * bits})
    return amounts + Counter({"case bit2": count * bits * bits})


def of_steps(multiplier: Multiplier, count: int) -> Amounts:
    """The digit-level steps of that many products."""
    steps = count * multiplier.model.work(multiplier.params)
    return Counter({"step": steps, "step bit": steps * multiplier.modulus.bits})


def of_trace(multiplier: Multiplier) -> Amounts:
    """The trace of a product, its steps written."""
    steps = multiplier.model.step_count(multiplier.params)
    written = Counter({"written step": steps, "written step bit": steps * multiplier.modulus.bits})
    return Counter({"request": 1}) + written + (of_steps(multiplier, 1) if multiplier.model.chain else Counter())


def of_table(core: CoreRequest, products: int) -> Amounts:
    """A cycle table."""
    steps = products * core.multiplier.model.work(core.multiplier.params)
    cells = core.architecture.least_cells(core.shape, products)
    return Counter(
        {
            "request": 1,
            "cell": cells,
            "product": products,
            "table step": steps,
            "table step bit": steps * core.multiplier.modulus.bits,
        }
    )


def of_fp2(cases: Fp2Request) -> Amounts:
    """Cases in GF(p^2), of three products each."""
    count = 3 * len(cases.pairs)
    return of_cases(cases.multiplier, count) + (of_steps(cases.multiplier, count) if cases.steps else Counter())


def of_draft() -> Amounts:
    """A description of a core: a process that loads all models and elaborates the sources many times."""
    return Counter({"core draft": 1})


def of_waves(size: int) -> Amounts:
    """A report and a waveform of that many bytes: a process that reads it."""
    return Counter({"waves": 1, "waves byte": size})


def of_body(size: int) -> Amounts:
    """A document of that many bytes, to be parsed."""
    return Counter({"byte": size})
