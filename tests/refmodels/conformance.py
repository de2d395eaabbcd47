# SPDX-License-Identifier: Apache-2.0
"""Common tests of all models; a model's own test file provides the data.

They include mutation tests: the model is broken in many ways, and the checks find each fault and name the first wrong
step.
"""

import dataclasses
from collections.abc import Iterator, Set
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limbtrace.refmodels import papers
from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.model import Index, Model
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.strategies import cases
from limbtrace.vectors.traces import TraceRequest
from limbtrace.vectors.verify import verify

FOLDER = Path(papers.__file__ or "").parent

Order = Iterator[tuple[str, Index]]
"""Names and subscripts of the steps of a product, one after the other."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """A modulus (None for models without one) and settings with which a mutation has to be found."""

    modulus: int | None
    settings: dict[str, str | int]


@dataclasses.dataclass(frozen=True)
class Mutation:
    """A change of a model's text."""

    pattern: str
    """Text that occurs exactly once in the source."""
    replacement: str
    first: str
    """Name of the first wrong step."""
    part: str = ""
    """The name by which the model's module imports the `family` of its paper, if the change is in that module."""


def once(names: str) -> Order:
    """Steps without subscripts, each of which occurs once; `_mod_` stands for ` mod `."""
    return ((name.replace("_mod_", " mod "), ()) for name in names.split())


def digits_of(*numbers: tuple[str, int]) -> Order:
    """The digits of several numbers in order, from the numbers' names and digit counts."""
    for name, count in numbers:
        yield from ((name, (j,)) for j in range(count))


def mutated(name: str, mutation: Mutation) -> dict[str, Any]:
    """The namespace of the module with a model's loop, with one change in its text."""
    (own,) = (*FOLDER.glob(f"*/{name}.py"), *FOLDER.glob(f"*/{name}/algorithm.py"))
    path = FOLDER / own.relative_to(FOLDER).parts[0] / "family.py" if mutation.part else own
    text = path.read_text()
    assert text.count(mutation.pattern) == 1, f"{mutation.pattern!r} does not stand exactly once in {path.name}"
    changed = _defined(name, path, text.replace(mutation.pattern, mutation.replacement))
    if not mutation.part:
        return changed
    whole = _defined(name, own, own.read_text())
    whole[mutation.part] = SimpleNamespace(**changed)
    return whole


def with_fault(name: str, mutation: Mutation) -> Model[Any]:
    """The model whose loop has one change in its text."""
    return dataclasses.replace(MODELS[name], steps=mutated(name, mutation)["steps"])


def _defined(name: str, path: Path, text: str) -> dict[str, Any]:
    module = ModuleType(f"mutant_{name}")
    module.__dict__["__name__"] = MODELS[name].__class__.__module__
    exec(compile(text, path.name, "exec"), module.__dict__)
    return module.__dict__


def as_seen(multiplier: Multiplier, a: int, b: int, steps: Any) -> dict[str, Any]:
    """The trace document that a device with these steps would send."""
    head = TraceRequest(multiplier, a, None if multiplier.model.unary else b).head
    return {**head, "steps": [[name, list(index), hexadecimal(value)] for name, index, value in steps]}


class Conformance:
    """Tests that every model passes; the class attributes and the two methods that are not tests are the data."""

    model: ClassVar[Model[Any]]
    shapes: ClassVar[tuple[Shape, ...]]
    mutations: ClassVar[tuple[Mutation, ...]]
    kind: ClassVar[str] = "lazy"
    """Kind of the operands in addition to the corners."""
    count: ClassVar[int] = 60
    """Largest number of operands for a shape."""

    @staticmethod
    def order(params: Any) -> Order:
        """The steps in the order of the paper's loop."""
        raise NotImplementedError

    @staticmethod
    def absent(params: Any) -> Set[str]:
        """Names of the vocabulary that do not occur with these parameters."""
        return set()

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        if "mutation" in metafunc.fixturenames:
            metafunc.parametrize("mutation", cls.mutations)

    @classmethod
    def mutant(cls, mutation: Mutation) -> Model[Any]:
        """The model with one change in the text of its loop."""
        return with_fault(cls.model.id, mutation)

    @classmethod
    def products(cls) -> Iterator[tuple[Multiplier, int, int]]:
        """Corners and edges of every shape."""
        for shape in cls.shapes:
            multiplier = Multiplier.resolve(cls.model.id, shape.modulus, shape.settings)
            for corner in cls.model.corners(multiplier.params):
                # `lazy` sets contain the corners, except for digits that no case of a set has.
                if cls.kind != "lazy" or chosen_digits(corner.a) or chosen_digits(corner.b):
                    yield multiplier, corner.a, corner.b
            count = min(cls.count, 8_000 // cls.model.step_count(multiplier.params))
            for a, b, _ in operands(VectorRequest.resolve(multiplier, count, 1, cls.kind)):
                yield multiplier, int(a), int(b)  # operands are integers of gmpy2

    @given(data=st.data())
    @settings(max_examples=15, suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow])
    def test_vocabulary_and_order(self, data: st.DataObject) -> None:
        multiplier, a, b = data.draw(cases([self.model.id]))
        params = multiplier.params
        steps = self.model.run(params, a, b).steps
        assert [(name, index) for name, index, _ in steps] == list(self.order(params))
        assert len(steps) == self.model.step_count(params)
        assert {name for name, _, _ in steps} == {symbol.name for symbol in self.model.vocabulary} - self.absent(params)

    def test_mutation_is_caught_and_located(self, mutation: Mutation) -> None:
        broken, caught, located = self.mutant(mutation), False, False
        for multiplier, a, b in self.products():
            golden = self.model.run(multiplier.params, a, b)
            run = broken.run(multiplier.params, a, b)
            # The checks of a model on its own: its claims and the closed form.
            caught = caught or bool(list(broken.violations(run))) or run.result != golden.result
            wrong = [(g, s) for g, s in zip(golden.steps, run.steps, strict=True) if g != s]
            verdict = verify(as_seen(multiplier, a, b, run.steps))
            assert verdict["verdict"] == ("fail" if wrong else "pass")
            if wrong:
                (step, index, expected), (_, _, seen) = wrong[0]
                divergence = verdict["first_divergence"]
                assert divergence["step"] == [step, list(index)]
                assert (divergence["expected"], divergence["seen"]) == (hexadecimal(expected), hexadecimal(seen))
                located = located or step == mutation.first
        assert caught
        assert located

    def test_the_text_without_a_mutation_passes(self) -> None:
        """The unchanged text passes, so the test above finds only the mutation."""
        same = self.mutant(Mutation(pattern="\ndef steps(", replacement="\ndef steps(", first=""))
        for multiplier, a, b in islice(self.products(), 80):
            run = same.run(multiplier.params, a, b)
            assert run.steps == self.model.run(multiplier.params, a, b).steps
            assert not list(same.violations(run))
