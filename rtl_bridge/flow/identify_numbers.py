# SPDX-License-Identifier: Apache-2.0
"""Identification of a core with several numbers on its ports, from the results of a few products."""

from collections.abc import Sequence
from typing import Literal

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.description.writer import toml
from limbtrace.rtl_bridge.flow.r_formulas import formulas
from limbtrace.rtl_bridge.interface.pins import pin_parts
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.report.identify import Sample
from limbtrace.vectors.report.number_formulas import (
    NumberFormula,
    NumberSample,
    R,
    number_formulas,
    split_numbers,
)

Side = Literal["a", "b", "result"]


def with_numbers(run: Run, samples: Sequence[Sample]) -> list[NumberFormula]:
    """The formulas that explain products of a bare run whose model holds several numbers."""
    model, modulus = run.bound.multiplier.model, run.bound.multiplier.modulus.modulus
    counts = [len(model.numbers_of(side)) for side in ("a", "b", "result")]
    width = run.shell.product_width("result") // counts[2]
    found = number_formulas(
        [
            NumberSample(
                (*split_numbers(s.a, modulus, counts[0]), *split_numbers(s.b or 0, modulus, counts[1])),
                split_numbers(s.seen, 1 << width, counts[2]),
            )
            for s in samples
        ],
        modulus,
    )
    return [formula for formula in found if formula.keeps_order or _has_ports(run.bound)]


def _has_ports(bound: Bound) -> bool:
    """True if each number has a port of its own."""
    model = bound.multiplier.model
    return all(len(ports_of(bound, side)) == len(model.numbers_of(side)) for side in ("a", "b", "result"))


def ports_of(bound: Bound, side: Side) -> list[str]:
    """The ports of the numbers of an operand or of the result, the low one first."""
    file = bound.core.file
    text = file.result.port
    if side != "result":
        text = next((operand.port for operand in file.operand if operand.name == side), None)
    return pin_parts(text)[::-1] if text else []


def text_of(bound: Bound, formula: NumberFormula, products: int) -> str:
    """The formula with the names of ports, as far as numbers have ports of their own, and how many products it fits."""
    text = formula.model_text
    if _has_ports(bound):
        text = formula.text([*ports_of(bound, "a"), *ports_of(bound, "b")], ports_of(bound, "result"))
    return text if formula.right == products else f"{text} in {formula.right} of {products} products"


def is_own(bound: Bound, formula: NumberFormula) -> bool:
    """True if the description says just that."""
    params, modulus = bound.multiplier.params, bound.multiplier.modulus.modulus
    if formula.model is not bound.multiplier.model or not formula.keeps_order:
        return False
    own = {name: value for name, value in params.named.items() if value}
    if modulus % 2 and R in own and R in formula.settings:
        own[R] = formula.settings[R] if pow(2, own[R], modulus) == pow(2, formula.settings[R], modulus) else own[R]
    return own == dict(formula.settings)


def described_numbers(bound: Bound, formula: NumberFormula) -> dict[str, str]:
    """Keys of core.toml that say it."""
    keys = {"model": toml(formula.model.id)}
    r, bits = formula.settings.get(R, 0), bound.multiplier.modulus.bits
    settings = {name: value for name, value in formula.settings.items() if name != R}
    given = {R: formulas(r, bits)[0]} if r else {}
    if given or settings:
        keys["settings"] = toml({**given, **settings})
    if _has_ports(bound):
        keys |= _port_keys(bound, formula)
    return keys


def _port_keys(bound: Bound, formula: NumberFormula) -> dict[str, str]:
    """Operands and result with their ports in the order of the formula."""
    inputs, outputs = [*ports_of(bound, "a"), *ports_of(bound, "b")], ports_of(bound, "result")
    given = iter([inputs[at] for at in formula.inputs])
    operands = []
    for name in ("a", "b"):
        ports = [next(given) for _ in formula.model.numbers_of(name)]
        if ports:
            operands.append({"name": name, **_place(ports)})
    result = _place([outputs[at] for at in formula.outputs])
    keys = {"operand": toml(operands)}
    if len(outputs) > 1:
        keys["result"] = toml(result).removeprefix("{ ").removesuffix(" }")
    return keys


def _place(ports: Sequence[str]) -> dict[str, str]:
    """Numbers below p on ports, the low one first, as a table of core.toml."""
    return {"port": side_by_side(ports), **({"radix": "p"} if len(ports) > 1 else {})}


def side_by_side(ports: Sequence[str]) -> str:
    """Ports as a pin, the low one first."""
    return ports[0] if len(ports) == 1 else f"{{{', '.join(reversed(ports))}}}"
