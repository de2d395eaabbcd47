# SPDX-License-Identifier: Apache-2.0
"""Every model and every schedule as a program: the same steps, results and cells as the loop with ints."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Architecture, Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expr import ends, field
from limbtrace.refmodels.model import Model, Step
from limbtrace.refmodels.primes import CATALOGUE, find
from limbtrace.refmodels.program import Program, apart, every_modulus, of_architecture, of_model, packed, proofs, proved
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import multipliers

SMALL = {"vdf": {"t": 3}, "ozturk": {"k": 3}}
"""Settings with which a model does not take long."""


def example(model: Model) -> int:
    """A modulus of the catalogue that the model takes, of real size; 0 for a model without one."""
    for known in ("secp256k1.fp", "sike-p434", *CATALOGUE) if model.has_modulus else ():
        with suppress(ParameterError):
            model.resolve(find(known).modulus, {})
            return find(known).modulus
    return 0


def operands(model: Model, params: Any, rng: random.Random) -> list[tuple[int, int]]:
    """The corners of a model, the largest and some other operands."""
    a_max, b_max = params.limits
    pairs = [(int(corner.a), int(corner.b)) for corner in model.corners(params)]
    pairs += [(a_max, b_max), (0, 0), *((rng.randint(0, a_max), rng.randint(0, b_max)) for _ in range(5))]
    if model.largest_b is not None:
        pairs = [(a, min(b, model.largest_b(params, a))) for a, b in pairs]
    return [(a, 0 if model.unary else b) for a, b in pairs]


def check(program: Program, model: Model, params: Any, a: int, b: int) -> None:
    """A product agrees with the loop, and every step is in the range that its term says."""
    run = model.run(params, a, b)
    steps, results = program.run({"a0": a, "b0": b})
    assert [step[:2] for step in program.steps] == [step[:2] for step in run.steps]
    assert steps == [value for _, _, value in run.steps]
    assert results == [run.result]
    for (name, index, term), value in zip(program.steps, steps, strict=True):
        least, most = ends(term)
        assert least <= value <= most, (name, index)


@given(multipliers(), st.integers(0, 1 << 32))
def test_programs_of_drawn_multipliers(multiplier: Multiplier, seed: int) -> None:
    model, params = multiplier.model, multiplier.params
    if model.chain is not None and params.named["t"] > 4:
        return
    if getattr(params, "overlap", 0):
        with pytest.raises(TypeError):
            of_model(model, params)
        return
    program = of_model(model, params)
    for a, b in operands(model, params, random.Random(seed))[:8]:
        check(program, model, params, a, b)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_a_program(name: str) -> None:
    """At the modulus of its example, of real size."""
    model = MODELS[name]
    params = model.resolve(example(model), SMALL.get(name, {}))
    program = of_model(model, params)
    for a, b in operands(model, params, random.Random(name)):
        check(program, model, params, a, b)


ANY = [name for name, model in MODELS.items() if model.has_modulus and model.moduli is None]
"""Models that take any odd modulus."""


def at(model: Model, params: Any, modulus: int) -> Any:
    """The parameters of every modulus of a size, at one of them."""
    radix = {} if params.radix_bits is None else {"radix": f"2^{params.radix_bits}"}
    return model.resolve(modulus, {**params.named, **radix, "form": params.form})


def moduli(bits: int, count: int, rng: random.Random) -> list[int]:
    """The least and the largest odd number of that size, and some others."""
    return [1 << bits - 1 | 1, (1 << bits) - 1, *(rng.getrandbits(bits) | 1 << bits - 1 | 1 for _ in range(count))]


@pytest.mark.parametrize(("name", "form"), [(name, form) for name in ANY for form in MODELS[name].forms])
@pytest.mark.parametrize(("bits", "count"), [(3, 0), (5, 0), (6, 0), (31, 4), (127, 1)])
def test_one_program_for_every_modulus(name: str, form: str, bits: int, count: int) -> None:
    """Small sizes are exhausted: all moduli, with the corners of each; steps, results, and the range of every step."""
    model, rng = MODELS[name], random.Random(f"{name} {bits}")
    params = model.resolve(every_modulus(bits), {**SMALL.get(name, {}), "form": form})
    program = of_model(model, params)
    fixed, rest = apart(program)
    assert set(fixed.operands) == {"modulus"}
    assert "modulus" not in rest.operands
    every = range(1 << bits - 1 | 1, 1 << bits, 2) if count == 0 else moduli(bits, count, rng)
    for modulus in every:
        own = at(model, params, modulus)
        constants, _ = fixed.run({"modulus": modulus})
        operand = packed(constants, fixed)
        for a, b in operands(model, own, rng)[::4]:
            run = model.run(own, a, b)
            values = [value for _, _, value in run.steps]
            assert rest.run({"a0": a, "b0": b, "constants": operand}) == (values, [run.result])
            for (step, index, term), value in zip(program.steps, values, strict=True):
                least, most = ends(term)
                assert least <= value <= most, (step, index)
    assert program.run({"a0": a, "b0": b, "modulus": modulus}) == (values, [run.result])


@pytest.mark.parametrize("name", ANY)
def test_what_every_modulus_accepts_each_one_does(name: str) -> None:
    """Settings that make sense, and some that may be too small: small sizes are exhausted."""
    model, accepted = MODELS[name], 0
    for seed in range(80):
        rng = random.Random(f"{name} {seed}")
        bits = rng.randint(3, 7)
        choice = SimpleNamespace(integer=rng.randint, one_of=rng.choice)
        settings = dict(model.shape(choice, bits, 4))
        for key, value in settings.items():
            if isinstance(value, int):
                settings[key] = value - rng.randint(0, 1)
        try:
            params = model.resolve(every_modulus(bits), settings)
        except (ParameterError, TypeError):
            continue
        accepted += 1
        for modulus in range(1 << bits - 1 | 1, 1 << bits, 2):
            assert at(model, params, modulus).named == params.named
    assert accepted > 10


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.moduli is not None])
def test_moduli_of_one_form_are_no_size(name: str) -> None:
    with pytest.raises(TypeError):
        MODELS[name].resolve(every_modulus(434), {})


def test_a_loop_that_looks_at_its_modulus_is_no_program() -> None:
    """Also where all that was tried go the same way."""
    branches: list[Callable[[Any], Any]] = [
        lambda p: p.modulus == 21, lambda p: p.modulus & 4, lambda p: p.modulus < 30, lambda p: p.modulus % 3 == 0,
    ]  # fmt: skip
    params = MODELS["monpro"].resolve(every_modulus(5), {})
    for branch in branches:

        def steps(p: Any, a: Any, b: Any, branch: Callable[[Any], Any] = branch) -> Iterator[Step]:
            yield "x", (), a if branch(p) else b

        with pytest.raises(TypeError, match="branched on data"):
            of_model(replace(MODELS["monpro"], steps=steps), params)


def test_constants_with_a_sign_and_without_a_use() -> None:
    """A constant may be negative, a step itself, or a digit of an operand that nothing reads."""
    p, a = every_modulus(5), field("a0", 0, 4, 15)
    steps = (("x", (), 40 - 2 * p + a), ("y", (), 3 - p), ("z", (), p), ("a", (), a))
    program = Program({"a0": 15, "modulus": 31}, (a, p - 50), steps, (p * 0 + a,))
    fixed, rest = apart(program)
    for modulus in range(17, 32, 2):
        constants, _ = fixed.run({"modulus": modulus})
        assert min(constants) >= 0
        found = rest.run({"a0": 9, "constants": packed(constants, fixed)})
        assert found == ([49 - 2 * modulus, 3 - modulus, modulus, 9], [9])
    assert rest.operands["constants"] == (1 << 64 * len(constants)) - 1


def stream(architecture: Architecture, settings: dict[str, Any]) -> tuple[Shape, list[TimedPair]]:
    """The shape of a core with three products, or one where products do not overlap, and these."""
    shape = architecture.resolve(find(architecture.example).modulus, {**architecture.example_settings, **settings})
    rng = random.Random(architecture.id)
    a_max, b_max = shape.params.limits
    unary = architecture.model.unary
    jobs = [TimedPair(rng.randint(0, a_max), 0 if unary else rng.randint(0, b_max)) for _ in range(3)]
    jobs = jobs if architecture.overlap else jobs[:1]
    return architecture.loaded(shape, [start for _, start in architecture.placed(shape, jobs)]), jobs


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_every_schedule_is_a_program(name: str) -> None:
    architecture = ARCHITECTURES[name]
    shape, jobs = stream(architecture, SMALL.get(architecture.model.id, {}))
    program = of_architecture(architecture, shape)
    steps, results = program.run({f"{letter}{k}": value for k, job in enumerate(jobs) for letter, value in
                                  zip("ab", job[:2], strict=True)})  # fmt: skip
    plan = architecture.plan(shape)
    products = list(architecture.products(shape, jobs, plan))
    assert results == [product.result for product in products]
    assert plan.table(steps) == products[0].table


def test_ranges_that_intervals_prove() -> None:
    """Of Algorithm 2 the products and digits; what depends on the operands, or needs the size of P, is not."""
    model = MODELS["cios"]
    params = model.resolve(find("secp256k1.fp").modulus, {"radix": "2^32"})
    program = of_model(model, params)
    found = {symbol.name: proved(program, params, symbol) for symbol in model.vocabulary}
    assert found == {**dict.fromkeys(("v", "u", "d", "us", "q", "c", "ts", "ovf"), True), "t": False, "T": None}


def test_no_range_is_proved_that_is_wrong() -> None:
    """A range that is one too small is not proved where a corner reaches its end."""
    model = MODELS["iddmm2"]
    params = model.resolve(0xEA7, {"radix": "2^4"})
    program = of_model(model, params)
    (symbol,) = (symbol for symbol in model.vocabulary if symbol.name == "q")
    assert proved(program, params, symbol)
    narrow = type(symbol)(symbol.name, "", "", "", lambda run, index: symbol.limit(run, index) - 1)
    assert proved(program, params, narrow) is False
    assert proved(program, params, type(symbol)("nothing", "", "", "", symbol.limit)) is None


def test_proofs_of_all_models() -> None:
    """How many ranges are proved is in the changelog; a change of a loop or of the intervals shows here."""
    found = [proved for model in MODELS.values() for proved in proofs(model).values()]
    assert (sum(found), len(found)) == (251, 396)
