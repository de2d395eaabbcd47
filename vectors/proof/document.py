# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a proof."""

from typing import Literal

from limbtrace.vectors.document import Document, MultiplierShape, Shape, member

Method = Literal["steps", "integers", "whole"]
ProductName = Literal["first", "next", "behind", "stream"]
Verdict = Literal["proved", "refuted", "open"]


class ProvedProduct(Shape):
    """A product of the scenario."""

    name: ProductName = member(
        "first after a reset; next after another product, whatever that one left in registers of data; "
        "behind: started as soon as another one is done"
    )
    cycles: int = member(
        "clock cycles from start to done, for all operands; where that depends on operands, for some of them, and each "
        "number of cycles is a product of its own", ge=0,
    )  # fmt: skip
    same: int = member("obligations whose two sides are one term", ge=0)
    sums: int = member("obligations whose two sides are equal as sums of integers", default=0, ge=0)
    integers: int = member(
        "obligations whose two sides, as polynomials over the integers, are congruent modulo p and less than p apart",
        default=0,
        ge=0,
    )
    solved: int = member("obligations that a solver proved", ge=0)


class OpenObligation(Shape):
    """What was not proved."""

    product: str = member("name of the product")
    signal: str = member("port or row of the core")
    cycle: int | None = member("clock cycle of the product; null for its result")
    step: str = member("what the signal has to show")
    verdict: Verdict = member(
        "refuted: values were found for which it differs, perhaps of a state that no products lead to; "
        "open: the solver did not decide within its limit, or a simulator has another value in a second reading"
    )
    form: str | None = member(
        "the value as a polynomial over the integers, shortened; null where the method does not read it as one",
        default=None,
    )
    range: str | None = member("from where to where that polynomial is, by its form; null as above", default=None)
    why: str | None = member("why both do not settle it; null as above", default=None)


class ProofSimulation(Shape):
    """Products that were simulated at the end of a proof, since simulators read the RTL in other ways than Yosys."""

    simulator: str = member("name of the simulator")
    modulus: str = member("the modulus, as hex")
    products: int = member("how many of them agree", ge=0)
    exhausted: bool = member("whether these are all pairs of operands")


class ProofDocument(Document):
    """What was proved of a core, for all operands of one modulus."""

    core: str = member("name of the core")
    digest: str = member("SHA-256 over the sources of the core, what its core.toml says, and the bench")
    multiplier: MultiplierShape
    parameters: dict[str, int | str] = member("RTL parameters")
    moduli: int = member(
        "how many moduli it is about, if every odd one of a size was to be proved: from the smallest one on, up to the "
        "first one for which something does not hold",
        default=1,
        ge=1,
    )
    method: Method
    verdict: Verdict
    statement: str = member("what was to be proved, in words")
    depends: list[str] = member(
        "outputs of the handshake that depend on operands, as two pairs of them show: the core is not constant-time; "
        "of started, finished, done and ready", default=(),
    )  # fmt: skip
    may_depend: list[str] = member(
        "those that may depend on operands, or on what was there before the product", default=()
    )
    depends_from: int | None = member(
        "the first cycle after the start of a product in which one of these does; null if none does", default=None
    )
    products: list[ProvedProduct] = member("what holds for each of them")
    obligations: int = member("all that was asked", ge=0)
    remembered: int = member(
        "how many answers of the solver are those of an earlier proof, to the very same question", default=0, ge=0
    )
    late: bool = member("whether the time for the whole proof was over", default=False)
    sampled_late: bool = member(
        "true if all of it holds with operands that stay on their ports until done, and fails with others, where the "
        "description does not say when the core looks at them", default=False,
    )  # fmt: skip
    failed: list[OpenObligation] = member("empty if all of it holds")
    simulations: list[ProofSimulation] = member(
        "what was simulated beside the proof, up to the first difference; missing in documents of earlier versions",
        default=(),
    )
    difference: str | None = member("what a simulation says of the values that refute it; null where none differs")
    replay: str | None = member("the command that shows it; null where there is none")
    not_covered: str = member("what it does not cover; missing in documents of earlier versions", default="")
    hypotheses: list[str] = member("what the proof assumes")
    trusted: list[str] = member("what the proof rests on and does not check")
    tools: dict[str, str] = member("versions")
    seconds: float = member("time that it took", ge=0)
    memory: int | None = member(
        "the most memory of one process, limbtrace, Yosys or a solver, in MB; missing where the system does not say",
        ge=0,
        default=None,
    )
