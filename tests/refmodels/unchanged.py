# SPDX-License-Identifier: Apache-2.0
"""What models and schedules say beside their results, as hashes: `python -m tests.refmodels.unchanged` renews them.

Tests of results notice neither a limit that is larger than it was nor operands that hit an event less often. Here are
parameters, limits of each step, what claims say of runs with a wrong value, corners, operands of events, moduli and
settings that tests draw, and columns, cells and costs of schedules.
"""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from limbtrace.refmodels.architecture import Architecture, Control, Shape
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Claim, Index, Model, Run
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors.request import Multiplier
from tests.refmodels.test_events import LARGE, SMALL
from tests.refmodels.test_schedules import SPECIAL, small

FILE = Path(__file__).parents[1] / "data" / "models.json"
_MORE: dict[str, tuple[tuple[int, dict[str, str | int]], ...]] = {
    "fold": ((13, {"k": 9, "rounds": 2}), (89, {"k": 11}))
}
"""Further shapes: more bits than a product has, and 2^k - 1 a multiple of p that is not p."""
_PRODUCTS = 3
"""Products of each shape whose limits and claims are looked at."""
_PAIRS = 64
"""Operands of each place of an event."""
_RUNS = 6
"""Products of each place of an event that are run."""
_SHORT = 250
"""Most steps of a product that is made wrong."""
_WRONG = 24
"""Steps of a product that are made wrong, one at a time."""


class _Drawn:
    """A choice that is the same on every machine."""

    def __init__(self, seed: str) -> None:
        self._draw = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._draw.randint(low, high)

    def one_of(self, options: Any) -> Any:
        return self._draw.choice(options)


def shapes(name: str) -> Iterator[Any]:
    """Parameters of a model: small ones, and the large ones."""
    for modulus, given in (*SMALL[name], *_MORE.get(name, ()), LARGE[name]):
        yield Multiplier.resolve(name, modulus, {key: str(value) for key, value in given.items()}).params


def _parameters(name: str) -> Iterator[Any]:
    for params in shapes(name):
        yield params.named, params.constants, params.limits, params.result_limit, params.domain
        yield params.closed, params.full_multiples, MODELS[name].step_count(params), MODELS[name].result_parts(params)
        with suppress(AttributeError, NotImplementedError):  # of models on digits
            yield params.widest_bits


def _products(name: str) -> Iterator[Run[Any]]:
    """Some corners of each shape."""
    model = MODELS[name]
    for params in shapes(name):
        corners = [*model.corners(params)]
        for corner in corners[:: max(len(corners) // _PRODUCTS, 1)][:_PRODUCTS]:
            yield model.run(params, int(corner.a), int(corner.b))


def _limits(name: str) -> Iterator[Any]:
    symbols = {symbol.name: symbol for symbol in MODELS[name].vocabulary}
    for run in _products(name):
        for step, index, _ in run.steps:
            least = symbols[step].least
            yield step, index, symbols[step].limit(run, index), least and least(run, index)


def _claims(name: str) -> Iterator[Any]:
    """Which claims reject a run with a wrong result, or with one step that is 1, or a power of two, more or less."""
    claims = MODELS[name].further_claims
    for run in (run for run in _products(name) if len(run.steps) <= _SHORT):
        for result in (run.result - 1, run.result + 1, 2 * run.result + 1):
            wrong = replace(run, result=result)
            yield [_holds(claim, wrong) for claim in claims if claim.step is None]
        apart = max(len(run.steps) // _WRONG, 1)
        for number in sorted({*range(0, len(run.steps), apart), len(run.steps) - 1}):
            step, index, value = run.steps[number]
            for other in (value + 1, value - 1, value + (1 << max(value.bit_length() - 1, 0))):
                steps = (*run.steps[:number], (step, index, other), *run.steps[number + 1 :])
                wrong = replace(run, steps=steps)
                yield step, index, [_holds(claim, wrong) for claim in claims]


def _holds(claim: Claim[Any], run: Run[Any]) -> Any:
    if claim.step is None:
        return bool(claim.holds(run, (), run.result))
    return [bool(claim.holds(run, index, value)) for step, index, value in run.steps if step == claim.step]


def _corners(name: str) -> Iterator[Any]:
    for params in shapes(name):
        yield [(corner.a, corner.b, corner.comment) for corner in MODELS[name].corners(params)]


def _events(name: str) -> Iterator[Any]:
    for params in shapes(name):
        for event in MODELS[name].events:
            places = list(event.where(params))
            yield event.name, event.statement, places
            for index in _some(places):
                reason = event.reachable(params, index)
                yield reason, [*islice(event.construct(params, index, Draw(event.label(index))), _PAIRS)]


def _some(places: Sequence[Index]) -> list[Index]:
    """The first, a middle and the last one."""
    return sorted({*places[:1], *places[len(places) // 2 :][:1], *places[-1:]})


def _happens(name: str) -> Iterator[Any]:
    """Whether an event happens in a few products that were constructed for it, of short loops."""
    model = MODELS[name]
    for params in (params for params in shapes(name) if model.step_count(params) <= _SHORT):
        for event in model.events:
            for index in _some(list(event.where(params))):
                pairs = islice(event.construct(params, index, Draw(event.label(index))), _PAIRS)
                accepted = [pair for pair in pairs if _accepts(model, params, *pair)]
                runs = [model.run(params, *pair) for pair in accepted[:_RUNS]]
                yield event.name, index, [bool(event.happens(run, index)) for run in runs]
                closed = event.closed
                yield closed and [bool(closed(params, index, *pair)) for pair in accepted]


def _accepts(model: Model[Any], params: Any, a: int, b: int) -> bool:
    try:
        model.check_operands(params, a, b)
    except ParameterError:
        return False
    return True


def _drawn(name: str) -> Iterator[Any]:
    """Moduli and settings of several sizes."""
    model = MODELS[name]
    for bits in (3, 8, 17, 40, 64) * 2:
        choice = _Drawn(f"{name} {bits}")
        yield model.moduli and model.moduli(choice, bits), model.shape(choice, bits, 6)


def _schedules(name: str) -> Iterator[Shape]:
    """Two shapes of an architecture, and a stream of the first."""
    moduli = SPECIAL.get(name)
    first, second = (
        (ARCHITECTURES[name].resolve(p, {}) for p in moduli[:2])
        if moduli
        else (small(name, 5, 2**15 - 19), small(name, 8, 2**16 - 15))
    )
    yield from (first, second)
    for parameter, value in first.own.items():  # the hardware's own parameters, one more where that is taken
        with suppress(ParameterError, KeyError):
            yield ARCHITECTURES[name].shape(first.params, {**first.own, parameter: value + 1})
    if ARCHITECTURES[name].overlap is not None:
        starts = [0]
        for wait in (0, 2):
            starts.append(ARCHITECTURES[name].next_start(replace(first, starts=tuple(starts)), starts[-1] + wait))
        yield replace(first, starts=tuple(starts))


def _table(architecture: Architecture) -> Iterator[Any]:
    yield architecture.first_cycle, architecture.forms, architecture.example
    for shape in _schedules(architecture.id):
        cycles = architecture.cycles(shape)
        yield cycles, architecture.interval(shape), shape.starts, [*shape.own.items()]
        for column in architecture.columns(shape):
            yield column.name, column.width, column.kind
            if isinstance(column, Control):
                yield [column.at(cycle) for cycle in range(cycles)]
            else:
                yield (
                    column.reset,
                    [
                        (part.step, part.bits, width, [part.at(cycle) for cycle in range(cycles)])
                        for part, width in column.parts
                    ],
                )


def _costs(architecture: Architecture) -> Iterator[Any]:
    for shape in _schedules(architecture.id):
        yield [(cost.name, cost.unit, cost.formula, cost.value(shape)) for cost in architecture.costs]


MODEL_PARTS: dict[str, Callable[[str], Iterator[Any]]] = {
    "parameters": _parameters, "limits": _limits, "claims": _claims, "corners": _corners, "events": _events,
    "happens": _happens, "drawn": _drawn,
}  # fmt: skip
"""What is kept of a model."""
ARCHITECTURE_PARTS: dict[str, Callable[[Architecture], Iterator[Any]]] = {"columns": _table, "costs": _costs}
"""What is kept of an architecture."""


def of_model(model: Model[Any], part: str) -> str:
    """The hash of a part of what a model says."""
    return _hash(MODEL_PARTS[part](model.id))


def of_architecture(architecture: Architecture, part: str) -> str:
    """The hash of a part of what a schedule says."""
    return _hash(ARCHITECTURE_PARTS[part](architecture))


def _hash(found: Iterator[Any]) -> str:
    content = hashlib.sha256()
    for each in found:
        content.update(json.dumps(each, default=_plain).encode() + b"\n")
    return content.hexdigest()[:16]


def _plain(value: Any) -> Any:
    """Integers of gmpy2 and digits as they are written, tuples of names as lists."""
    return int(value) if hasattr(value, "__int__") or hasattr(value, "__index__") else repr(value)


def main() -> None:
    """Renew the file."""
    found = {
        "models": {name: {part: of_model(model, part) for part in MODEL_PARTS} for name, model in MODELS.items()},
        "architectures": {
            name: {part: of_architecture(architecture, part) for part in ARCHITECTURE_PARTS}
            for name, architecture in ARCHITECTURES.items()
        },
    }
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
