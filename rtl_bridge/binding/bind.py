# SPDX-License-Identifier: Apache-2.0
"""Binding a core to a modulus: parameters settled, design elaborated, every port there and wide enough."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import Architecture, Shape
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.settings import Given, Settings
from limbtrace.rtl_bridge.binding.bound import (
    LITERAL_SETTINGS,
    MAX_CYCLES,
    WORDS,
    Bound,
)
from limbtrace.rtl_bridge.binding.checks import problems
from limbtrace.rtl_bridge.binding.formulas import Formulas
from limbtrace.rtl_bridge.binding.signed_range import signed_ranges
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.description.formula import FormulaError, holds, names_in
from limbtrace.rtl_bridge.description.tables import Row
from limbtrace.rtl_bridge.elaboration.design import ElaboratedDesign
from limbtrace.rtl_bridge.elaboration.elaborate import elaborate
from limbtrace.rtl_bridge.interface.pins import extended, original
from limbtrace.vectors.request import Multiplier

_EXAMPLE = "secp256k1.fp"


def example(core: Core) -> str:
    """The modulus for which the core is linted and described: secp256k1, or the first of the catalogue that it takes.

    Raises ParameterError for conditions that cannot be read.
    """
    architecture = _architecture(core)
    if architecture:
        return architecture.example
    named = (_EXAMPLE, *CATALOGUE)
    return next((name for name in named if _takes(core, CATALOGUE[name].modulus)), _EXAMPLE)


def _takes(core: Core, modulus: int) -> bool:
    try:
        check_modulus(core, modulus)
    except ParameterError as error:
        if error.parameter != "prime":
            raise
        return False
    return True


def check_build(core: Core, build: Mapping[str, int]) -> None:
    """Raises ParameterError for RTL parameters that core.toml does not have, and for values that it excludes.

    Where an RTL parameter is just a parameter of the model, it has the limits of that.
    """
    for name, value in build.items():
        if name not in core.file.build:
            known = ", ".join(core.file.build) or "none"
            raise ParameterError("build", f"{core.file.name} has no parameter {name!r}; it has {known}")
        for limited in (name, core.file.build[name]):
            if limited in core.file.ranges:
                _check_range(core, name, value, core.file.ranges[str(limited)])
        if value < 0:
            raise ParameterError(name, f"no RTL parameter is negative, and here it is {value}")


def _check_range(core: Core, name: str, value: int, limits: tuple[int, int]) -> None:
    low, high = limits
    if not low <= value <= high:
        raise ParameterError(name, f"{core.file.name} takes {low} to {high}, and here it is {value}")


def _check_schedule(core: Core, build: Mapping[str, int], architecture: Architecture, shape: Shape) -> None:
    """Raises ParameterError where an RTL parameter says something else of the hardware than the schedule does."""
    for name, value in build.items():
        own = str(core.file.build[name])
        if own in shape.own and shape.own[own] != value:
            said = architecture.own_settings(shape).get(own, shape.own[own])
            why = f"{value} contradicts {own} = {said}, which the schedule has; --set {own} decides about both"
            raise ParameterError(name, why)


def bind(
    core: Core,
    prime: str | int,
    given: Given,
    build: Mapping[str, int],
    stream: int | None = None,
    like: Bound | None = None,
    *,
    single: bool = False,
) -> Bound:
    """Bind a core; `build` overrides RTL parameters, `stream` is how many products a stream has.

    `single`: the next product waits for the result, where a stream is told apart by its order alone.

    `like`: this core, bound before; with the same RTL parameters and watched signals its RTL is not elaborated again.

    Raises ParameterError.
    """
    core = _as_described(core)
    architecture = _architecture(core)
    if architecture:
        Settings(core.file.name, architecture.parameters, given)  # one sentence that names all parameters
    models, own = architecture.divide(given) if architecture else (given, {})
    fixed, own_fixed = architecture.divide(core.file.settings) if architecture else (core.file.settings, {})
    multiplier = _resolve(core, prime, models, fixed)
    missing = architecture.missing(multiplier.params, {**models, **fixed}) if architecture else {}
    if missing:
        multiplier = _resolve(core, prime, {**models, **missing}, fixed)
    check_modulus(core, multiplier.modulus.modulus)
    shape = _shape(core, architecture, multiplier, own, own_fixed) if architecture else None
    names = {**names_of(multiplier), **(shape.own if shape else {})}
    core = replace(core, file=core.file.model_copy(update={"row": tuple(_watched(Formulas(core, multiplier, names)))}))
    formulas = Formulas(core, multiplier, names)
    parameters = {key: formulas.value(f"build.{key}", text) for key, text in core.file.build.items()}
    check_build(core, build)
    if architecture and shape:
        _check_schedule(core, build, architecture, shape)
    parameters |= build
    for name, limits in core.file.ranges.items():
        value = parameters[name] if name in parameters else formulas.size(f"ranges.{name}", name)
        _check_range(core, name, value, limits)
    design = _design(core, parameters, like)
    plan = architecture.plan(shape) if architecture and shape else None
    bound = Bound(core, multiplier, shape, plan, names, parameters, design)
    bound = replace(bound, single=bound.takes_several and (single or stream == 1))
    for problem in problems(bound):
        raise core.error(problem)
    return _streaming(_with_extended_results(bound), stream)


def _as_described(core: Core) -> Core:
    """The core of a binding without what `_with_extended_results` made of its result."""
    result = core.file.result
    if not result.signed or result.port is None:
        return core
    plain = result.model_copy(update={"port": original(result.port)})
    return replace(core, file=core.file.model_copy(update={"result": plain}))


def _with_extended_results(bound: Bound) -> Bound:
    """The core with results in two's complement that are extended by their sign to twice the width of the port, so that
    they have room for the multiple of p that is added to negative ones."""
    file = bound.core.file
    if not file.result.signed or file.result.port is None:
        return bound
    result = file.result.model_copy(update={"port": extended(file.result.port)})
    return replace(bound, core=replace(bound.core, file=file.model_copy(update={"result": result})))


def _design(core: Core, parameters: Mapping[str, int], like: Bound | None) -> ElaboratedDesign:
    """The design of a binding that has the same parameters and watches the same signals, or a new one."""
    if like is not None and like.parameters == parameters and like.core.file.inside == core.file.inside:
        return like.design
    return elaborate(core, parameters)


def check_modulus(core: Core, modulus: int) -> None:
    """Raises ParameterError("prime") for a modulus that the core does not take."""
    for condition in core.file.modulus:
        try:
            taken = holds(condition, modulus)
        except FormulaError as error:
            raise core.error(f"modulus {error}") from None
        if not taken:
            p = f"{modulus:#x}" if modulus.bit_length() <= 256 else f"one of {modulus.bit_length()} bits"
            raise ParameterError("prime", f"{core.file.name} takes moduli with {condition!r} alone, and this is {p}")


def _streaming(bound: Bound, asked: int | None) -> Bound:
    """The core for streams of as many products as were asked for, as fast as it takes them."""
    most = bound.products
    least = 1 if bound.protocol.timed or bound.in_order else most
    if asked is not None and not least <= asked <= most:
        some = f"{least} to {most} products" if least < most else "one product" if most == 1 else f"{most} products"
        raise ParameterError("stream", f"{bound.core.file.name} takes {some} at a time, not {asked}")
    if bound.streams:
        bound = bound.stream([0] * (asked or most))
    if bound.limit > MAX_CYCLES:
        what = "a stream" if most > 1 else "a product"
        raise bound.core.error(f"{what} may take {bound.limit} cycles by its timeout, and the limit is {MAX_CYCLES}")
    return bound


def names_of(multiplier: Multiplier) -> dict[str, int]:
    """Parameters with all their aliases, the logarithm of the radix among them; N, unless the model has one."""
    params = multiplier.params
    names: dict[str, int] = {}
    for parameter in multiplier.model.parameters:
        if isinstance(value := params.named.get(parameter.name), int):
            names |= dict.fromkeys((parameter.name, *parameter.aliases), value)
        elif parameter.name == "radix" and params.radix_bits is not None:
            names |= dict.fromkeys(parameter.aliases, params.radix_bits)
    return {"N": multiplier.modulus.bits, **names}


def _watched(formulas: Formulas) -> Iterator[Row]:
    """The rows that this shape has."""
    for k, row in enumerate(formulas.core.file.row):
        if row.where is None or formulas.size(f"row[{k}].where", row.where):
            yield row


def _resolve(core: Core, prime: str | int, given: Given, fixed: Given) -> Multiplier:
    """The multiplier with the settings that the core fixes."""
    settings = dict(given)
    formulas: dict[str, str] = {}
    for name, value in fixed.items():
        if isinstance(value, int) or name in LITERAL_SETTINGS:
            _fix(core, settings, name, value)
        else:
            formulas[name] = value
    multiplier = Multiplier.resolve(core.file.model, prime, _with_bound(core, prime, settings))
    for name in _ordered(core, formulas):
        value = Formulas(core, multiplier, names_of(multiplier)).size(f"settings.{name}", formulas[name])
        _fix(core, settings, name, value)
        multiplier = Multiplier.resolve(core.file.model, prime, _with_bound(core, prime, settings))
    return multiplier


def _with_bound(core: Core, prime: str | int, settings: Given) -> Given:
    """The settings with the wider bound of both operands, for a model that takes any, unless they have one."""
    model = registry.model(core.file.model)
    if not core.file.below or "below" in settings or all(known.name != "below" for known in model.parameters):
        return settings
    multiplier = Multiplier.resolve(core.file.model, prime, settings)
    formulas = Formulas(core, multiplier, names_of(multiplier))
    signed = signed_ranges(formulas)
    values = {text: formulas.bound(key, text) for name, (key, text) in core.file.below.items() if name not in signed}
    values |= {f"{each.added // each.modulus}*p": each.added for each in signed.values()}
    if len(core.file.below) < (1 if model.unary else 2):
        values["p"] = multiplier.params.limits[0] + 1
    widest = max(values, key=lambda text: values[text])
    for text in (str(widest), str(values[widest])):  # as it is written, where the model knows the names in it
        with suppress(ParameterError):
            Multiplier.resolve(core.file.model, prime, {**settings, "below": text})
            break
    return {**settings, "below": text}


def _ordered(core: Core, formulas: Mapping[str, str]) -> list[str]:
    """The names of formulas, each after those that are in it. Raises ParameterError for some that need each other."""
    needed = {name: (names_in(text) & formulas.keys()) - {name} for name, text in formulas.items()}
    try:
        return list(TopologicalSorter(needed).static_order())
    except CycleError as error:
        circle = " and ".join(sorted(set(error.args[1])))
        raise core.error(f"settings: {circle} are formulas of each other, so none of them has a value") from None


def _fix(core: Core, settings: dict[str, str | int], name: str, value: str | int) -> None:
    """Set what the core fixes, unless the caller asked for something else."""
    if name in settings:
        asked = settings[name]
        words = ["".join(str(text).split()) for text in (asked, value)]
        same = words[0] == words[1] if name in WORDS else parse_integer(asked, name) == parse_integer(value, name)
        if not same:
            raise ParameterError(name, f"{asked} was asked for, and the core {core.file.name} is fixed to {value}")
    settings[name] = value


def _architecture(core: Core) -> Architecture | None:
    """The architecture whose schedule the core follows."""
    if core.file.schedule is None:
        return None
    if core.file.schedule not in registry.ARCHITECTURES:
        raise core.error(f"schedule {core.file.schedule!r} is none of {', '.join(registry.ARCHITECTURES)}")
    return registry.ARCHITECTURES[core.file.schedule]


def _shape(core: Core, architecture: Architecture, multiplier: Multiplier, given: Given, fixed: Given) -> Shape:
    """The shape of the schedule, with the parameters of the hardware that the core fixes."""
    if architecture.model.id != core.file.model:
        raise core.error(f"schedule {core.file.schedule} is one of model {architecture.model.id}")
    if (architecture.overlap is None) != (core.file.protocol.products_formula is None):
        kind = "overlap" if architecture.overlap else "do not overlap"
        has = "has no" if architecture.overlap else "has"
        raise core.error(f"protocol {has} products, and those of {architecture.id} {kind}")
    own = dict(given)
    for name, value in fixed.items():
        _fix(core, own, name, value)
    return architecture.shape(multiplier.params, own)
