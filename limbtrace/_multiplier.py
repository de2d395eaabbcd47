# SPDX-License-Identifier: Apache-2.0
"""A model at one modulus, and every step of a product."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, step_label
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import request, traces
from limbtrace.vectors.request import DEFAULT_KIND, VectorRequest, kind_with, merge_settings, within
from limbtrace.vectors.traces import TraceRequest

if TYPE_CHECKING:
    from limbtrace._cases import Cases

Operand = int | str
"""An integer, or an expression such as `2^255-20`, or digits `[d0,d1,...]`, the low one first."""
SHOWN = 200
"""Most steps that a notebook shows."""


def models() -> list[str]:
    """Ids of all models."""
    return list(MODELS)


def primes() -> Mapping[str, int]:
    """Name -> modulus, of all that have a name."""
    return MappingProxyType({name: entry.modulus for name, entry in CATALOGUE.items()})


def multiplier(
    model: str, prime: int | str | None = None, radix: int | str | None = None, **settings: int | str
) -> "Multiplier":
    """A model at one modulus.

    `model`: an id of `models()`. `prime`: a name of `primes()`, an odd integer, or an expression such as "2^255-19";
    None for a model without modulus. `radix`: a power of two. `settings`: parameters of the model by name, such as
    `passes=9` or `form="printed"`; `limbtrace models NAME` lists them. Raises ParameterError.

        >>> multiplier("cios", "curve25519", "2^34")
        Multiplier('cios', 'curve25519.fp', radix='2^34', s=8)
    """
    written = {name: str(value) for name, value in settings.items()}
    whole = merge_settings(None if radix is None else str(radix), (), written)
    return Multiplier(request.Multiplier.resolve(model, prime, whole))


@dataclass(frozen=True)
class Multiplier:
    """A model at one modulus, made by `multiplier`; equal settings make equal multipliers."""

    resolved: request.Multiplier
    """This multiplier as an object of the packages that `limbtrace` is built on; it may change."""

    def __call__(self, a: Operand, b: Operand | None = None) -> int:
        """The exact integer that the algorithm returns, which may not be below the modulus.

        `b` is None for a model that takes no b. Raises ParameterError for an operand outside `limits`.

            >>> multiplier("barrett", 101)(100, 100)
            1
        """
        m = self.resolved
        return int(m.model.result(m.params, *self._operands(a, b)))

    def _operands(self, a: Operand, b: Operand | None = None) -> tuple[int, int]:
        """Both operands as integers, b 0 for a model of one operand. Raises ParameterError."""
        m = self.resolved
        if (b is None) != m.model.unary:
            raise ParameterError("b", f"{self.model} takes no b" if m.model.unary else f"{self.model} takes a and b")
        pair = m.operand("a", a), 0 if b is None else m.operand("b", b, 1)
        m.model.check_operands(m.params, *pair)
        return pair

    @property
    def model(self) -> str:
        """Id of the model."""
        return self.resolved.model.id

    @property
    def modulus(self) -> int:
        """The modulus; 0 for a model without one."""
        return self.resolved.modulus.modulus

    @property
    def bits(self) -> int:
        """Bits of the modulus, or of the largest operand if there is none."""
        return self.resolved.bits

    @property
    def settings(self) -> dict[str, int | str]:
        """All settings, defaults included, with which `multiplier` makes this one again."""
        return dict(self.resolved.settings)

    @property
    def limits(self) -> tuple[int, int]:
        """Largest a and b that are accepted; b is 0 for a model that takes none."""
        return self.resolved.params.limits

    @property
    def result_limit(self) -> int:
        """A bound that every result is below."""
        return self.resolved.params.result_limit

    @property
    def R(self) -> int | None:  # the name that the field has for it
        """The Montgomery factor: results are congruent to a*b/R. None if the model has no such factor."""
        return self.resolved.params.domain

    @property
    def constants(self) -> dict[str, int]:
        """Every constant that a core or a program needs, by the paper's name."""
        return dict(self.resolved.params.constants)

    def residue(self, value: int) -> int:
        """A result modulo the modulus; the value itself for a model without a modulus."""
        return self.resolved.residue(value)

    def to_domain(self, x: int) -> int:
        """x*R modulo the modulus, the form in which Montgomery's product keeps x; without an R, x modulo it.

        >>> mul = multiplier("cios", "p256", "2^34")
        >>> mul.from_domain(mul(mul.to_domain(6), mul.to_domain(7)))
        42
        """
        return self.residue(x * (self.R or 1))

    def from_domain(self, value: int) -> int:
        """value/R modulo the modulus, the inverse of `to_domain`."""
        return self.residue(value if self.R is None else value * pow(self.R, -1, self.modulus))

    def trace(self, a: Operand, b: Operand | None = None) -> "Trace":
        """Every step of a product, in the paper's symbols. Raises ParameterError, also for more than 4,000,000 steps.

        A trace is computed at once; a chain of many links, such as `vdf` with a large t, is too long for one.
        """
        x, y = self._operands(a, b)
        request = TraceRequest(self.resolved, x, None if self.resolved.model.unary else y)
        steps = tuple(TraceStep(name, index, int(value)) for name, index, value in request.steps())
        return Trace(self, x, y, int(request.result), steps)

    def vectors(
        self,
        count: int | None = None,
        kind: str = DEFAULT_KIND,
        seed: int = 1,
        event: Sequence[str] = (),
        checkpoints: int = 0,
        shard: str | None = None,
    ) -> "Cases":
        """A set of test cases, generated when they are read; the same request gives the same cases everywhere.

        `count`: 16 by default, of kind exhaustive all. `kind`: directed, mixed, random, edge, runs, lazy, chained,
        events or exhaustive; `event`: those that are to happen, such as "q[3]=max". `checkpoints`: for
        chains, values on the way. `shard`: only a part of the `count` cases, such as "3/10", made without those in
        front. Raises ParameterError.

            >>> [case.flags for case in multiplier("cios", 13, 4).vectors(2, kind="edge")]
            [('QuotientZero',), ('NotReduced', 'QuotientMaximal')]
        """
        from limbtrace._cases import Cases

        chosen = kind_with(None if event and kind == DEFAULT_KIND else kind, event) or kind
        return Cases(VectorRequest.resolve(self.resolved, count, seed, chosen, checkpoints=checkpoints, shard=shard))

    def digest(
        self,
        count: int | None = None,
        kind: str = DEFAULT_KIND,
        seed: int = 1,
        event: Sequence[str] = (),
        leaf: int = 4096,
        first: int | None = None,
        last: int | None = None,
        jobs: int = 1,
    ) -> str:
        """The root of the digest of a set of up to 2^48 cases, or the hash of its cases `first` to `last`, as text.

        docs/reference/digests.md describes the tree. `leaf`: cases of a leaf, a power of two; `jobs`: processes. Raises
        ParameterError, and ToolError where one of several processes was killed.

            >>> multiplier("cios", 13, 4).digest(100, kind="random")[:8]
            'cef66ad2'
        """
        from limbtrace.vectors.digests import DigestRequest
        from limbtrace.vectors.sets.jobs import MAX_JOBS

        chosen = kind_with(None if event and kind == DEFAULT_KIND else kind, event) or kind
        asked = DigestRequest.resolve(
            self.resolved, count=count, seed=seed, kind=chosen, leaf=leaf, first=first, last=last
        )
        document = asked.document(within("jobs", jobs, 1, MAX_JOBS))
        return str(document["range"]["hash"] if "range" in document else document["root"])

    def __repr__(self) -> str:
        prime = [] if self.resolved.prime is None else [repr(self.resolved.prime)]
        return f"Multiplier({', '.join([repr(self.model), *prime, *self._written()])})"

    def _written(self) -> list[str]:
        return [f"{name}={value!r}" for name, value in self.settings.items() if (name, value) != ("form", "corrected")]


class TraceStep(NamedTuple):
    """One step: the paper's symbol, its subscripts, and the value, which may be negative."""

    name: str
    subscripts: Index
    value: int

    @property
    def label(self) -> str:
        """Symbol and subscripts, such as `C[0, 1]`."""
        return step_label(self.name, self.subscripts)


@dataclass(frozen=True)
class Trace:
    """All steps of one product, in the order of the paper's loop."""

    multiplier: Multiplier
    a: int
    b: int
    result: int
    """The exact integer that the algorithm returns."""
    steps: tuple[TraceStep, ...]

    @property
    def residue(self) -> int:
        """The result modulo the modulus."""
        return self.multiplier.residue(self.result)

    @overload
    def __getitem__(self, key: slice) -> tuple[TraceStep, ...]: ...
    @overload
    def __getitem__(self, key: int) -> TraceStep: ...
    @overload
    def __getitem__(self, key: str | tuple[str | int, ...]) -> int: ...

    def __getitem__(self, key: Any) -> Any:
        """`run[3]` is a step, `run["q", 3]` the value of the only step of that name whose subscripts begin with these.

        Raises KeyError if there is none, or more than one.

            >>> import limbtrace as lt
            >>> run = lt.multiplier("iddmm2", 13, 4).trace(7, 11)
            >>> run["q", 1], run["S", 1, 0], len(run)
            (3, 9, 34)
        """
        if isinstance(key, (int, slice)):
            return self.steps[key]
        name, *index = key if isinstance(key, tuple) else (key,)
        found = self.named(name, *index)
        if len(found) != 1:
            label = step_label(str(name), tuple(index))
            many = f"{len(found)} steps begin so, {found[0].label} is the first" if found else "there is no such step"
            raise KeyError(f"{label}: {many}")
        return found[0].value

    def named(self, name: str, *index: int) -> list[TraceStep]:
        """The steps of a name, or those of them whose subscripts begin with `index`.

        >>> import limbtrace as lt
        >>> [step.value for step in lt.multiplier("iddmm2", 13, 4).trace(7, 11).named("q")]
        [3, 3]
        """
        return self._by_name.get(name, []) if not index else [
            step for step in self._by_name.get(name, []) if step.subscripts[: len(index)] == index
        ]  # fmt: skip

    @cached_property
    def _by_name(self) -> dict[str, list[TraceStep]]:
        found: dict[str, list[TraceStep]] = {}
        for step in self.steps:
            found.setdefault(step.name, []).append(step)
        return found

    @cached_property
    def names(self) -> list[str]:
        """The symbols, in the order in which they first appear."""
        return list(self._by_name)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[TraceStep]:
        return iter(self.steps)

    @cached_property
    def _request(self) -> TraceRequest:
        m = self.multiplier.resolved
        return TraceRequest(m, self.a, None if m.model.unary else self.b)

    def violations(self) -> list[str]:
        """A sentence for each claim of the paper that this product violates; none of a corrected model should."""
        return list(map(str, self._request.violations()))

    def written(self, format: str = "text") -> str:
        """The document that the command line and the service write: text, json or csv."""
        return b"".join(traces.render(self._request, format)).decode()

    def __repr__(self) -> str:
        operands = ", ".join(map(hex, self.multiplier.resolved.model.given(self.a, self.b)))
        return f"<{len(self)} steps of {self.multiplier.model}({operands}), result {self.result:#x}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(step.label)}</th><td><code>{step.value:#x}</code></td></tr>" for step in self[:SHOWN]
        )
        more = f"<p>{len(self) - SHOWN} more steps</p>" if len(self) > SHOWN else ""
        return f"<p>{escape(repr(self)[1:-1])}</p><table>{rows}</table>{more}"
