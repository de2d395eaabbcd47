# SPDX-License-Identifier: Apache-2.0
"""Ways to choose the model of a core without a description: by names and widths, or by how many numbers there are."""

import re
from collections.abc import Callable

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.init.inference import Guess
from limbtrace.rtl_bridge.init.model_choice import chosen_model, fixed_modulus
from limbtrace.rtl_bridge.init.port_roles import Roles
from limbtrace.rtl_bridge.init.trial_binding import Tried
from limbtrace.rtl_bridge.interface.module_ports import Sketch
from limbtrace.vectors.report.number_formulas import number_models

Described = Callable[[Sketch, str], Guess]
"""The guess for a sketch and for a kind of protocol, "" for the one that shows best. Raises LookupError."""
PLAIN = "modmul"
"""The model of a core that shows no sign of another one."""


def chosen(sketch: Sketch, name: str, prime: str | None, kind: str = "") -> Guess:
    """The description for a modulus with a model that is chosen by names, widths and the number of operands.

    Each operand is one number, and so is the result. Raises LookupError where no port shows a protocol of that kind,
    ParameterError for the modulus.
    """
    sketch, roles = _pinned(sketch, PLAIN, prime, kind)
    choice = chosen_model(sketch, roles)
    guess = Guess(sketch, name, choice.model, prime, choice.settings, kind)
    guess.why_model, guess.is_chosen = choice.reason, True
    return guess


def _pinned(sketch: Sketch, model: str, prime: str | None, kind: str) -> tuple[Sketch, Roles]:
    """The sketch, and its roles for a model; with widths as they are where the RTL fixes the modulus."""
    roles = Roles(sketch, tried := Tried(model, prime, {}), kind)
    if fixed_modulus(sketch, roles, tried.modulus) is None:
        return sketch, roles
    return sketch.pinned, Roles(sketch.pinned, tried, kind)


def with_numbers(sketch: Sketch, name: str, prime: str | None, kind: str = "") -> Guess:
    """The description with a model whose operands hold as many numbers as there are inputs and outputs of one width.

    Which of these models it is, and which port has which of its numbers, is for a trial to tell. Raises LookupError
    where the ports show none, or no such model takes the modulus.
    """
    for model in number_models():
        try:
            pinned, roles = _pinned(sketch, model.id, prime, kind)
        except (LookupError, ParameterError):
            continue
        if roles.no_further_numbers:
            guess = Guess(pinned, name, model.id, prime, {}, kind)
            counts = guess.tried.numbers
            others = [x.id for x in number_models(counts["a"] + counts["b"], counts["result"]) if x is not model]
            said = f"{counts['a'] + counts['b']} inputs and {counts['result']} output{'s' * (counts['result'] > 1)}"
            guess.why_model = " or ".join([f"{said} of one width", *others])
            return guess
    raise LookupError("numbers")


def ways(sketch: Sketch, name: str, prime: str | None) -> list[Described]:
    """How the models of a core are chosen for its sketch and a modulus, the way that is likelier first."""

    def plain(shape: Sketch, kind: str) -> Guess:
        return chosen(shape, name, prime, kind)

    def numbers(shape: Sketch, kind: str) -> Guess:
        return with_numbers(shape, name, prime, kind)

    try:
        guess = numbers(sketch, "")
    except LookupError:
        return [plain]
    likely = guess.roles.result_above or guess.roles.modulus_shows or guess.fixes_modulus
    return [numbers, plain] if likely else [plain, numbers]


_OTHER = re.compile(r"mont|redc|redm|mwr|r2mm|mm2|cios|fios|iddmm|squar|sqr|barrett|reduc|_rr?$", re.IGNORECASE)
"""Names of cores that return something else than a*b mod p."""


def plainly(sketch: Sketch, name: str, kind: str = "") -> Guess:
    """The description without a model that anybody named: of a*b mod p for operands, result and modulus of one width.

    A further constant, or a name that stands for something else, speaks against it. Of ports with several numbers it is
    the one of `with_numbers`. Raises LookupError as `chosen`.
    """
    likely = ways(sketch, name, None)[0](sketch, kind)
    if likely.tried.numbers:
        return likely
    guess = Guess(sketch, name, PLAIN, None, {}, kind)
    roles = guess.roles
    ports = [*(operand.port for operand in roles.operands), *([roles.result] if roles.result else [])]
    widths = {(port.width, str(port.terms)) for port in (*ports, *(constant.port for constant in roles.constants))}
    names = [sketch.top, *(port.name for port in sketch.ports)]
    alike = [constant.value for constant in roles.constants] == ["p"] and len(ports) == 3 and len(widths) == 1
    if not alike or roles.protocol.digits or any(map(_OTHER.search, names)):
        return Guess(sketch, name, None, None, {}, kind)
    guess.why_model = "a*b mod p; montgomery if the core returns a*b/R"
    return guess
