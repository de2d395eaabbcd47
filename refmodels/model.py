# SPDX-License-Identifier: Apache-2.0
"""The type of a model: a frozen parameter object, a closed form, the paper's steps, and claims about them as data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # for the default, which Python's own has from 3.13 on
else:
    from typing import TypeVar

import gmpy2

from limbtrace.refmodels.batch_digits import Digit, integers, weighted_sum
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.event import Event
from limbtrace.refmodels.event import Index as Index
from limbtrace.refmodels.event import Step as Step
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.representations import Representation
from limbtrace.refmodels.settings import Given, Parameter

CORRECTED, PRINTED = "corrected", "printed"


def step_label(name: str, subscripts: Index | str) -> str:
    """A step as people read it: its subscripts in brackets, if it has any."""
    text = subscripts if isinstance(subscripts, str) else ", ".join(map(str, subscripts))
    return f"{name}[{text}]" if text else name


class Formula(NamedTuple):
    """A closed form as data, for programs in other languages: a * b, divided, then brought into its range."""

    divisions: tuple[tuple[int, int], ...] = ()
    """(odd factor, bits), in order: t becomes (t + Q * factor) / 2^bits; Q is below 2^bits and makes that whole."""
    ending: Literal["as it is", "subtracted", "reduced"] = "as it is"
    """True if the modulus is subtracted if the value is not below it, or the value is reduced modulo the modulus."""


class Parameters(Protocol):
    """The interface of every model's frozen parameter object; all preconditions hold once the object exists."""

    @property
    def modulus(self) -> int:
        """The modulus; 0 for a model without one, since integers modulo 0 are the integers."""

    @property
    def form(self) -> str: ...
    @property
    def radix_bits(self) -> int | None:
        """log2 of the radix scanned one digit per iteration; None for whole-integer algorithms."""

    @property
    def named(self) -> Mapping[str, Any]:
        """The parameters by their names on the wire, without modulus, radix and form.

        Values are ints, or strings for a parameter whose values have names.
        """

    @property
    def constants(self) -> dict[str, int]:
        """Every derived constant that a core or a program needs, by the paper's name."""

    @property
    def limits(self) -> tuple[int, int]:
        """Largest accepted a and b (inclusive)."""

    @property
    def result_limit(self) -> int:
        """Exclusive upper bound of the result over all accepted operands."""

    @property
    def closed(self) -> bool:
        """True if the closed form gives the result; otherwise the result is computed step by step."""

    @property
    def formula(self) -> Formula | None:
        """The closed form as data, where `closed` holds; None if it is not such a formula."""

    @property
    def full_multiples(self) -> tuple[int, ...]:
        """The possible values of result * R - a * b if every quotient digit has its largest value."""

    @property
    def domain(self) -> int | None:
        """R, if the model returns a * b / R modulo the modulus, or a / R; None for a model without such a factor."""

    @property
    def written(self) -> tuple[Representation, Representation] | None:
        """The digits in which a user may give a and b; None if the model scans no digits."""

    @property
    def representations(self) -> Mapping[str, Representation]:
        """The digit forms in which hardware keeps operands and results, by name; empty if there is only the integer."""

    @property
    def filling(self) -> int:
        """The fill pattern of the operands' overlap bits, if they have any."""

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        """The operands in the form in which the loop scans them."""

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Batches of operands in the form in which the loop scans them: NumPy columns with one entry per product."""


if TYPE_CHECKING:
    P = TypeVar("P", bound=Parameters, default=Any)
    P_co = TypeVar("P_co", default=Any, covariant=True)
    P_contra = TypeVar("P_contra", default=Any, contravariant=True)
else:
    P, P_co, P_contra = (TypeVar(name) for name in ("P", "P_co", "P_contra"))
"""The parameter object of a model, which its claims see: a claim about a family holds for each of its members."""


@dataclass(frozen=True)
class Source:
    """The source of an algorithm or a statement."""

    authors: str
    title: str
    where: str

    def __str__(self) -> str:
        return f"{self.authors}, {self.title}, {self.where}"


@dataclass(frozen=True)
class Run(Generic[P_co]):
    """One product with all of its steps, for claims and for queries of single values."""

    params: P_co
    a: int
    b: int
    steps: tuple[tuple[str, Index, int], ...]
    result: int

    @cached_property
    def values(self) -> dict[tuple[str, Index], int]:
        return {(name, index): value for name, index, value in self.steps}

    def at(self, name: str, *index: int) -> int:
        """Value of one step; KeyError when the run has no such step."""
        return self.values[name, index]


@dataclass(frozen=True)
class StreamRun(Run[P_co]):
    """Consecutive products of one stream with all of its steps; a, b and result belong to the first product."""

    products: tuple[tuple[int, int], ...]
    results: tuple[int, ...]


@dataclass(frozen=True)
class Claim(Generic[P_contra]):
    """A statement that must hold for every step called `step`, or for the whole run if `step` is None."""

    name: str
    statement: str
    reference: str
    step: str | None
    holds: Callable[[Run[P_contra], Index, int], bool]


Limit = Callable[[Run[P_contra], Index], int]
"""(run, subscripts) -> a limit of a step, inclusive."""


def at_most(
    step: str, statement: str, reference: str, limit: Limit[P_contra], least: Limit[P_contra] | None = None
) -> Claim[P_contra]:
    """Claim least(run, index) <= value <= limit(run, index) for every step of that name; least is 0 if not given."""

    def holds(run: Run[P_contra], index: Index, value: int) -> bool:
        return (0 if least is None else least(run, index)) <= value <= limit(run, index)

    return Claim(f"range of {step}", statement, reference, step, holds)


def one_bit(run: Run, index: Index) -> int:
    """Limit of a step that is 0 or 1."""
    return 1


@dataclass(frozen=True)
class Symbol(Generic[P_contra]):
    """One name of the trace vocabulary; its range, given as text and as a limit, is a claim."""

    name: str
    subscripts: str
    meaning: str
    range: str
    """The range as text for readers: a comparison, or a description of the values."""
    limit: Limit[P_contra]
    """Largest value of a step of this name."""
    least: Limit[P_contra] | None = None
    """Smallest value; None for 0."""
    where: str | None = None
    """The place in the paper that gives the range, if it differs from that of the algorithm."""

    def claim(self, reference: str) -> Claim[P_contra]:
        """The claim that every step of this name is in its range."""
        relation = "" if self.range[0] in "<>" else ":" if self.range[0].isdigit() or self.range[0] == "-" else " is"
        statement = f"{self.name}{relation} {self.range}"
        return at_most(self.name, statement, self.where or reference, self.limit, self.least)


@dataclass(frozen=True)
class Violation:
    """A claim that does not hold, and the step that breaks it."""

    claim: Claim
    index: Index
    value: int

    def __str__(self) -> str:
        place = step_label(self.claim.step, self.index) if self.claim.step else "result"
        return f"{place} = {self.value:#x} breaks '{self.claim.statement}' ({self.claim.reference})"


@dataclass(frozen=True)
class Corner:
    """Operands constructed for a case that random operands do not reach."""

    a: int
    b: int
    comment: str


@dataclass(frozen=True)
class Chain(Generic[P]):
    """A model that repeats one operation: it can compute intermediate values and any single link of the chain."""

    parameter: str
    """The parameter that holds the number of links."""
    length: Callable[[P], int]
    powers: Callable[[P, int, Sequence[int]], Iterator[int]]
    """(parameters, a, increasing numbers of links) -> the result of a chain that ends there, at value level."""
    link: Callable[[P, int, int], Run[P]]
    """(parameters, a, number of a link from 1 on) -> that product at digit level; those before it are not kept."""
    link_model: "Model[Any]"
    """The model of one link, which takes the parameter object of the chain."""
    link_work: Callable[[P], int]
    """Number of digit products in one link."""


@dataclass(frozen=True)
class Model(Generic[P]):
    """One algorithm of one paper."""

    id: str
    title: str
    source: Source
    parameters: tuple[Parameter, ...]
    operands: Mapping[str, str]
    """For a, b and result: the range as text, in the paper's symbols. In a model without b, b is always 0."""
    reference: str
    """The place in the paper, as the claims about ranges name it."""
    vocabulary: tuple[Symbol[P], ...]
    forms: tuple[str, ...]
    resolve: Callable[[int, Given], P]
    """(modulus, or 0 without one, settings) -> parameter object; raises ParameterError."""
    shape: Callable[[Choice, int, int], Given]
    """(choice, bits of the modulus, or of the operands if there is none, most digits) -> settings that make sense
    for it, as a choice among all that are worth a test."""
    closed_form: Callable[[P, int, int], int]
    """(parameters, a, b) -> the exact integer that the corrected form returns, without the loop; see `by_digits`."""
    steps: Callable[[P, Any, Any], Iterator[Step]]
    """(parameters, a and b as `split` gives them) -> the paper's loop."""
    result_parts: Callable[[P], list[tuple[str, Index, int]]]
    """Steps that form the result, each with the exponent of two of its weight."""
    step_count: Callable[[P], int]
    further_claims: tuple[Claim[P], ...]
    """Claims in addition to the ranges of the vocabulary."""
    corners: Callable[[P], Iterator[Corner]]
    events: tuple[Event[P], ...] = ()
    """Internal events, with the operands that cause them."""
    pseudocode: Callable[..., int] | None = None
    """The algorithm in a few lines, for readers to compare with their own loop: (a, b and modulus as far as there are
    any, parameters by name) -> the result, or an integer of the same residue if `by_digits`. None: it is not written.
    """
    mended: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each form, the errata corrected in it because the text could not run at all."""
    loop: Callable[..., Iterator[Step]] | None = None
    """The paper's loop over a stream of products, if `steps` only calls it."""
    run_stream: Callable[[P, Sequence[tuple[int, int]]], StreamRun[P]] | None = None
    """(parameters, operands of every product) -> products back to back in one stream; None if they share no carries."""
    closed_forms: Callable[[P, Sequence[int], Sequence[int]], list[int]] | None = None
    """`closed_form` of a batch, if there is a faster way than product by product."""
    largest_b: Callable[[P, int], int] | None = None
    """(parameters, a) -> largest b accepted with that a; None if every pair of operands in range is accepted."""
    by_digits: bool = False
    """True if the result depends on the operands' digits: it is the closed form, or that plus the modulus."""
    has_modulus: bool = True
    moduli: Callable[[Choice, int], int] | None = None
    """(choice, most bits) -> a modulus, if the model takes only moduli of one form; None if it takes any odd one.

    A model that takes even moduli, too, says so by `even_moduli`.
    """
    reduced_value: Literal["a*b", "a*a", "a"] | None = "a*b"
    """The integer whose residue is the result, divided by `domain`; of a chain, that of its first product.

    None if the result is that of a sum, or holds more than one number.
    """
    numbers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a, b and result: the names of the numbers below the modulus that it holds as digits of that radix, low first.

    Empty where each is one number.
    """
    result_alone: bool = False
    """True for a model that promises a result and says nothing of how hardware finds it."""
    whole_range: bool = False
    """True if no kind of operands keeps them below the modulus, where a reducer has nothing to do."""
    even_moduli: bool = False
    """True if it takes every modulus of at least 2; else moduli are odd, and at least 3."""
    chain: Chain[P] | None = None
    """The chain, for a model that repeats one operation."""
    fed_back: Callable[[P, Sequence[Step]], tuple[int, int]] | None = None
    """(parameters, steps of a product) -> its result as operand a and as operand b, in the digits that hardware has;
    None if the integer is enough."""
    chained_params: Callable[[P], P] | None = None
    """(parameters) -> those for products whose operands are results, if they differ."""

    @cached_property
    def claims(self) -> tuple[Claim[P], ...]:
        """All claims about the algorithm: the range of every step, and further ones."""
        ranges = (symbol.claim(self.reference) for symbol in self.vocabulary)
        return (*ranges, *self.further_claims)

    @property
    def unary(self) -> bool:
        """True if the model takes no b."""
        return "b" not in self.operands

    @property
    def multiplies(self) -> bool:
        """True if the result is the residue of a product or of an operand."""
        return self.reduced_value is not None

    @property
    def several(self) -> bool:
        """True if the result holds several numbers, so that its residue says nothing of all but the first."""
        return self.packs("result")

    def numbers_of(self, side: str) -> tuple[str, ...]:
        """The names of the numbers that a, b or the result holds, low ones first: its own name if it is one number.

        Empty for an operand that the model does not have.
        """
        return self.numbers.get(side, (side,)) if side in self.operands else ()

    def packs(self, side: str) -> bool:
        """True if a, b or the result holds several numbers."""
        return len(self.numbers_of(side)) > 1

    def given(self, a: int, b: int) -> tuple[int, ...]:
        """The operands that the model has."""
        return (a,) if self.unary else (a, b)

    def work(self, params: P) -> int:
        """Number of steps of a product; for a chain, whose steps stand for many operations, its digit products."""
        steps = self.step_count(params)
        return steps if self.chain is None else steps * self.chain.link_work(params)

    def __repr__(self) -> str:
        """A short form, because failing property tests print it in every parameter set."""
        return f"<model {self.id}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The short form, for printers that follow IPython, hypothesis among them."""
        printer.text(repr(self))

    def check_operands(self, params: P, a: int, b: int) -> None:
        """Raises ParameterError when an operand is outside its range."""
        for name, value, limit in zip("ab", (a, b), params.limits, strict=True):
            if name in self.operands and not 0 <= value <= limit:
                shown = f"{value:#x}" if value.bit_length() <= 256 else f"a value of {value.bit_length()} bits"
                raise ParameterError(
                    name,
                    f"{shown} is outside 0 <= {name} {self.operands[name]}, that is up to {limit:#x}",
                )
        if self.largest_b is not None and b > (limit := self.largest_b(params, a)):
            raise ParameterError("b", f"beside this a it may be up to {limit:#x}, {self.operands['b']}")

    def run(self, params: P, a: int, b: int) -> Run[P]:
        """One product at digit level with all its steps."""
        steps = tuple(self.steps(params, *params.split(a, b)))
        return Run(params, a, b, steps, self.result_of(params, steps))

    def run_batch(self, params: P, a: Sequence[int], b: Sequence[int]) -> list[Step]:
        """All steps of a batch, each value a column (or an int where every product has the same)."""
        return list(self.steps(params, *params.split_batch(a, b)))

    def result_of(self, params: P, steps: Iterable[Step]) -> Digit:
        """The exact integer that the steps return, or the column of them where the steps are those of a batch."""
        shifts = {(name, index): shift for name, index, shift in self.result_parts(params)}
        return weighted_sum((value, shifts[name, index]) for name, index, value in steps if (name, index) in shifts)

    def as_operands(self, params: P, a: int, b: int) -> tuple[int, int]:
        """The result of a product as operand a and as operand b of another product.

        It is not reduced and keeps the digits that hardware has.
        """
        if self.fed_back is not None:
            return self.fed_back(params, self.run(params, a, b).steps)
        return (self.result(params, a, b),) * 2

    def check_closure(self, params: P) -> None:
        """Raises ParameterError("kind") if some results are out of range as operands of another product."""
        largest = params.result_limit - 1
        if not self.multiplies:
            raise ParameterError("kind", f"{self.id} computes no product, whose results would be operands again")
        if self.unary or self.largest_b is not None:
            raise ParameterError("kind", f"{self.id} does not take every result as an operand")
        for name, limit in zip("ab", params.limits, strict=True):
            if largest > limit:
                raise ParameterError(
                    "kind", f"results of up to {shown(largest)} are no operands: {name} may be up to {shown(limit)}"
                )

    def result(self, params: P, a: int, b: int) -> int:
        """The exact integer returned: by the closed form, or step by step if there is none, as for printed forms."""
        return self.closed_form(params, a, b) if params.closed else self.run(params, a, b).result

    def results(self, params: P, a: Sequence[int], b: Sequence[int]) -> list[int]:
        """Results of a batch of products, as integers of gmpy2.

        Faster than product by product if there is a closed form for batches, or no closed form at all.
        """
        if params.closed and self.closed_forms is not None:
            return self.closed_forms(params, a, b)
        if self.by_digits:
            result = self.result_of(params, self.steps(params, *params.split_batch(a, b)))
            return list(map(gmpy2.mpz, integers(result, len(a))))
        return [gmpy2.mpz(self.result(params, int(x), int(y))) for x, y in zip(a, b, strict=True)]

    def violations(self, run: Run[P]) -> Iterator[Violation]:
        """Claims that the run violates; none if the model is right and the operands are in range."""
        by_step: dict[str, list[Claim[P]]] = {}
        for claim in self.claims:
            if claim.step is not None:
                by_step.setdefault(claim.step, []).append(claim)
            elif not claim.holds(run, (), run.result):
                yield Violation(claim, (), run.result)
        for name, index, value in run.steps:
            for claim in by_step.get(name, ()):
                if not claim.holds(run, index, value):
                    yield Violation(claim, index, value)


def check_modulus(modulus: int, minimum: int = 3, maximum_bits: int = 16384, even: bool = False) -> int:
    """The modulus, if it is at least `minimum`, at most `maximum_bits` bits wide, and odd unless `even` ones are taken.

    Raises ParameterError("prime") otherwise.
    """
    if modulus < minimum:
        raise ParameterError("prime", f"the modulus must be at least {minimum}")
    if modulus.bit_length() > maximum_bits:
        raise ParameterError(
            "prime", f"the modulus has {modulus.bit_length()} bits and the limit is {maximum_bits} bits"
        )
    if not even and modulus % 2 == 0:
        raise ParameterError("prime", "the modulus must be odd, because 2 has to be invertible")
    return modulus
