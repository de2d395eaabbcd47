# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `limbtrace domain`: for which moduli a core is right."""

from typing import Literal

from limbtrace.vectors.document import Document, Hex, Settings, Shape, member

DomainVerdict = Literal["right", "separated", "sufficient", "no condition"]


class DomainDifference(Shape):
    """A product that is wrong at a modulus."""

    modulus: Hex
    bits: int = member(ge=2)
    a: str
    b: str | None = member("null: the model has no b")
    signal: str
    expected: str | None
    seen: str | None
    sentence: str
    replay: str = member("a command that was run and differs; empty if none did")


class DomainBorder(Shape):
    """The two moduli between which a bound lies."""

    condition: str
    right: Hex
    wrong: Hex
    adjacent: bool = member("true: the core takes no modulus between them that fulfils the other conditions")


class DomainProof(Shape):
    """A proof at a modulus, for all operands."""

    modulus: Hex
    reason: str = member("why at this one")
    verdict: Literal["proved", "refuted", "open"]
    detail: str = member("the difference, or why it is open", default="")


class DomainDocument(Document):
    """For which moduli a core is right, as far as it was tried."""

    core: str = member("name of the core")
    model: str = member("id of the model")
    params: Settings = member("parameters of the model at the modulus that was asked for")
    parameters: dict[str, int] = member("RTL parameters at that modulus")
    simulator: str
    mode: str
    seed: int
    widths: tuple[int, int] = member("fewest and most bits of the moduli that were tried")
    right: int = member("moduli without a wrong product", ge=0)
    wrong: int = member("moduli with a product that was wrong twice", ge=0)
    products: int = member("products that were simulated", ge=0)
    least_products: int = member("fewest products at a modulus that counts as right, unless these are all", ge=0)
    builds: int = member("builds of the core", ge=1)
    every: bool = member("true: all moduli that the core takes, with all operands")
    verdict: DomainVerdict = member(
        "right: none is wrong; separated: the conditions hold for exactly those that are right; sufficient: they hold "
        "for no wrong one, and not for all that are right; no condition: none was found"
    )
    conditions: list[list[str]] = member(
        "the core was right where all conditions of one of these lists hold, each as key modulus of a core.toml has it"
    )
    left_out: int = member("moduli without a wrong product that fulfil none of these lists", ge=0)
    refuting: list[int] = member(
        "moduli that were tried to refute the first list: that fulfil it and are right, that do not fulfil it, and of "
        "these the wrong ones",
        min_length=3,
        max_length=3,
    )
    borders: list[DomainBorder]
    margin: list[str] = member("a stricter list, if wrong products become rare towards a border; else empty")
    smallest: DomainDifference | None = member("the smallest wrong modulus that was found")
    smallest_is_known: bool = member("true: all smaller moduli that the core takes were tried with all operands")
    some_wrong: list[Hex] = member("wrong moduli, the smallest ones")
    proofs: list[DomainProof] = member("by --prove")
    not_tried: list[str] = member("circumstances and simulators that no trial covers")
    described: list[str] = member("key modulus of the core.toml as it is")
    suggested: str = member("a line for core.toml; empty if nothing is to be said")
