# SPDX-License-Identifier: Apache-2.0
"""A certificate, checked as a whole, and its closed form in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd, prod

from limbtrace.rtl_bridge.check_proof import design
from limbtrace.rtl_bridge.check_proof.files import Certificate, Refutations
from limbtrace.rtl_bridge.check_proof.program import RUNS
from limbtrace.rtl_bridge.check_proof.records import CheckCounts, FollowedProduct, WrongError
from limbtrace.rtl_bridge.check_proof.replay import Answer, LogReplay


@dataclass(frozen=True)
class Checked:
    """A certificate that holds."""

    certificate: Certificate
    counts: CheckCounts
    products: list[FollowedProduct]
    inputs: Mapping[str, Mapping[str, int]]
    """Name of an input of the shell -> its values, and in how many cycles it had them."""
    narrower: int
    """Values of the model whose ranges were taken as they are."""
    form: str | None
    """What each result is modulo p."""

    @property
    def trusted(self) -> list[str]:
        """Facts that are taken as they are, with how often they came."""
        found = [f"{name}: {count}" for name, count in sorted(self.counts.trusted.items())]
        return [
            *found,
            *([f"ranges of values of the model: {self.narrower}"] if self.narrower else []),
            *([f"that the model is this product for all operands: it is for {RUNS} drawn ones"] if self.form else []),
        ]

    @property
    def open(self) -> list[str]:
        """Equalities without a refutation, with how many there are."""
        return [f"{name}: {count}" for name, count in sorted(self.counts.open.items())]


def check(certificate: Certificate, answer: Answer | None = None) -> Checked:
    """Follow a certificate; `answer` takes the place of its refutations. Raises WrongError."""
    try:
        read = design.read(certificate.design)
    except (ValueError, LookupError) as error:
        raise WrongError(f"the design cannot be read: {error}") from None
    replay = LogReplay(
        read, certificate.operands, certificate.registers, answer or Refutations(certificate.refutations).answer
    )
    replay.follow(certificate.log)
    for product in replay.products[1:]:
        if product.result != replay.products[0].result:
            raise WrongError(f"{product.name} has another result than {replay.products[0].name}")
    form = _closed_form(certificate, replay)
    return Checked(certificate, replay.counts, replay.products, replay.inputs, replay.program.narrower, form)


def _check_digits(certificate: Certificate, product: FollowedProduct) -> None:
    """Each bit of the result is in one digit, or was claimed to be 0. Raises WrongError."""
    places = [bit for digits in certificate.digits for low, size, _ in digits for bit in range(low, low + size)]
    zeros = [bit for high, low, name, _ in product.result if name == "#0" for bit in range(low, high + 1)]
    bits = [bit for high, low, _, _ in product.result for bit in range(low, high + 1)]
    if len(set(places)) != len(places) or not set(bits) - set(zeros) <= set(places) <= set(bits):
        raise WrongError("the digits of the head are not the bits of the result")


def _closed_form(certificate: Certificate, replay: LogReplay) -> str | None:
    """The closed form of the results, which the program has for drawn operands. Raises WrongError if it has not."""
    if certificate.factor is None:
        return None
    p, factor = certificate.modulus, certificate.factor
    if p < 2 or gcd(factor, p) != 1 or not 0 < len(certificate.products) == len(certificate.digits):
        raise WrongError("the head has no closed form, or one that says nothing")
    _check_digits(certificate, replay.products[0])
    for operands in replay.program.drawn():
        try:
            values = replay.program.run(operands)
        except ValueError as error:
            raise WrongError(str(error)) from None
        word = 0
        for high, low, name, bit in replay.products[0].result:
            value = int(name[1:]) if name[0] == "#" else values[int(name)]
            word |= (value >> bit & (1 << high - low + 1) - 1) << low
        for names, digits in zip(certificate.products, certificate.digits, strict=True):
            result = sum((word >> low & (1 << size) - 1) << weight for low, size, weight in digits)
            if (result - factor * prod(operands[name] for name in names)) % p:
                raise WrongError(f"the program of the model is not {' * '.join(names)} * {factor:#x} modulo {p:#x}")
    power = next((n for n in range(4 * p.bit_length() + 64) if (factor << n) % p == 1 % p), None)
    by = f"{factor:#x}" if power is None else f"2^-{power}"
    return f"{' * '.join(certificate.products[0])}{'' if factor == 1 else f' * {by}'} modulo {p:#x}"
