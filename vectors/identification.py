# SPDX-License-Identifier: Apache-2.0
"""The document of what a core was found to compute."""

from limbtrace.vectors.document import Document, Shape, member


class FoundRelation(Shape):
    """A formula that explains all results."""

    text: str = member("the formula in words, such as result = a*b / 2^256 mod p; all below p")
    form: str = member("the formula over the operands, up to a factor, such as a*b")
    factor: str | None = member("factor modulo p, in hexadecimal; null where nothing is reduced")
    exponent: int | None = member("k of a factor 2^k; null for any other")
    multiples: int | None = member("the smallest m such that all results are below m times p; null where not reduced")
    result_order: int = member("bits of the words in which the result has to be read in reverse order; 0: as it is")
    a_order: int = member("as result_order, of operand a")
    b_order: int = member("as result_order, of operand b")
    previous: bool = member("whether the operands are those of the product before")
    signed: bool = member("whether the results are in two's complement, and above -multiples * p, too", default=False)
    readings: list[str | None] = member(
        'what stands in the place of a and b: "inverted", "next", "inverted next" and so on; empty: the operand '
        "itself, null for b of a core with one operand",
        default=(),
    )
    fault: str | None = member("what the results that the formula does not explain have in common", default=None)
    right: int | None = member("the number of results that it explains, if it is not all of them", default=None)
    description: dict[str, str] = member("keys of core.toml that say it, with their values in TOML")


class Identification(Document):
    """What a core computes, told from its results."""

    core: str = member("name of the core")
    modulus: str = member("in hexadecimal")
    products: int = member("random products that were looked at", ge=3)
    relations: list[FoundRelation] = member("the plainest first; empty if nothing explains the results")
