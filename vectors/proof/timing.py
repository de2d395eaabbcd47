# SPDX-License-Identifier: Apache-2.0
"""The JSON document of what was proved of the time that a core takes."""

from typing import Literal

from limbtrace.vectors.document import Document, Hex, MultiplierShape, Shape, member
from limbtrace.vectors.proof.document import ProductName

TimingVerdict = Literal["constant", "depends", "open"]
TimingKind = Literal["handshake", "address"]
TimingSource = Literal["operands", "modulus", "earlier", "power-on"]


class TimedProduct(Shape):
    """A kind of product and its time."""

    name: ProductName = member("first after a reset; next after another product; behind: right behind another one")
    cycles: list[int] = member("clock cycles from start to done; several where idle states or gaps differ in them")


class TimingWitness(Shape):
    """A simulation of products that take a number of cycles of their own."""

    operands: list[list[Hex]] = member("a, and b if the model has it, of each product")
    cycles: list[int] = member("the least and the most cycles of these products, from start to done")
    replay: str = member("the command")


class TimingDependence(Shape):
    """A signal whose values do not follow from the clock cycle alone."""

    signal: str = member("port or signal of the handshake, or the address or enable of a memory")
    kind: TimingKind
    product: ProductName
    cycle: int | None = member("clock cycle of the product, from the one after its start (0); null before its start")
    source: TimingSource | None = member(
        "what it depends on: operands of the product, the modulus, what earlier products left, what registers held "
        "before the reset; null where the solver did not decide"
    )
    shown: bool = member("whether two simulations, or two valuations of operands after a reset, show it")
    operands: list[list[list[Hex]]] = member(
        "two series of products after a reset, a and b of each, for which the signal differs in that cycle of the last "
        "one; empty where none are known",
        default=(),
    )
    witnesses: list[TimingWitness] = member(
        "two simulations whose numbers of cycles differ; empty where none were found, and for addresses", default=()
    )


class TimingDocument(Document):
    """How the time of a core, and the addresses of its memories, depend on data."""

    core: str = member("name of the core")
    digest: str = member("SHA-256 over the sources of the core, what its core.toml says, and the bench")
    multiplier: MultiplierShape
    parameters: dict[str, int | str] = member("RTL parameters")
    any_modulus: bool = member("whether it is about every modulus of as many bits", default=False)
    verdict: TimingVerdict = member(
        "constant: nothing that is looked at depends on data; depends: some of it does, as two products show; "
        "open: neither is known"
    )
    statement: str = member("what was to be proved, in words")
    products: list[TimedProduct] = member("those whose time does not depend on data")
    signals: list[str] = member("what was looked at in every cycle")
    solved: int = member("how many values the solver proved to be one", ge=0)
    dependences: list[TimingDependence] = member("empty where the verdict is constant")
    hypotheses: list[str] = member("what the proof assumes")
    not_covered: list[str] = member("what it says nothing about")
    trusted: list[str] = member("what the proof rests on and does not check")
    tools: dict[str, str] = member("versions")
    seconds: float = member("time that it took", ge=0)
