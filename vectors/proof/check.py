# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a certificate of a proof that was checked."""

from typing import Literal

from limbtrace.vectors.document import Document, Shape, member

CheckVerdict = Literal["checked", "open", "wrong"]


class CheckedProduct(Shape):
    """Products of one kind that take as many cycles."""

    name: str = member("first after a reset; next after another product; behind: right behind another one")
    cycles: int = member("clock cycles from the first one in which the product is offered to the one with its result")
    count: int = member("how many products of this kind the certificate follows")


class CheckDocument(Document):
    """The outcome of the check of a certificate."""

    verdict: CheckVerdict = member(
        "checked: every line holds, but for what is trusted; open: equalities have no refutation; wrong: a line does "
        "not hold"
    )
    wrong: str | None = member("the line that does not hold, and why", default=None)
    core: str | None = member("name of the core", default=None)
    design: str | None = member("SHA-256 of the design in BTOR2", default=None)
    statement: str | None = member("what a certificate without open equalities shows", default=None)
    products: list[CheckedProduct] = member("the products that it follows", default=())
    environment: dict[str, list[str]] = member("values of inputs of the design, by their names", default=())
    lines: int = member("lines of the design, in a cycle, that are what the proof says", default=0)
    claims: int = member("claims about outputs", default=0)
    cuts: int = member("values of the model that were given a name", default=0)
    states: int = member("states that were made more general", default=0)
    refuted: int = member("equalities that took a refutation by clauses", default=0)
    open: list[str] = member("equalities without a refutation, with how many there are", default=())
    trusted: list[str] = member("what is taken as it is, with how often it came", default=())
