# SPDX-License-Identifier: Apache-2.0
"""Circuits that the IDDMM paper describes and that do not work: where they fail, and where they do not."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from limbtrace.refmodels.erratum import CircuitErratum
from limbtrace.refmodels.papers.iddmm.circuits import CIRCUITS, Mistake, circuit
from limbtrace.refmodels.registry import ARCHITECTURES, errata
from limbtrace.vectors.strategies import cases

ERRATA = {erratum.id: erratum for erratum in errata(CircuitErratum)}
"""Computed by hand: the results of the circuits as printed, and the right ones."""
SHOWN = {
    "iddmm.E14": (68, 53), "iddmm.E14b": (13, 12), "iddmm.E16": (0, 4), "iddmm.E17": (5, 1), "iddmm.E18": (0, 2),
}  # fmt: skip


def test_the_circuit_as_printed_fails_and_the_corrected_one_does_not() -> None:
    assert {id: (erratum.printed_result, erratum.product.result) for id, erratum in ERRATA.items()} == SHOWN
    for erratum in ERRATA.values():
        on = erratum.product
        assert circuit(on.architecture.id, on.shape, on.a, on.b).run() == on.result
        assert (erratum.printed_result - on.result) % on.modulus  # not even congruent
    assert {erratum.flaw for erratum in ERRATA.values()} == {mistake.value for mistake in Mistake}


@pytest.mark.parametrize(
    ("id", "mistake", "architectures", "levels"),
    [("iddmm.E14", Mistake.KEPT, ["iddmm_arch1"], [0, 1, 2]), ("iddmm.E14b", Mistake.ENABLED, CIRCUITS, [0, 1, 2]),
     ("iddmm.E16", Mistake.DELAYED, ["iddmm_arch2"], [2]), ("iddmm.E17", Mistake.BEHIND, ["iddmm_arch1"], [2]),
     ("iddmm.E18", Mistake.NO_BYPASS, CIRCUITS, [2])],
)  # fmt: skip
def test_wherever_a_circuit_can_have_the_mistake_it_has_the_same_result(
    id: str, mistake: Mistake, architectures: Iterable[str], levels: list[int]
) -> None:
    on = ERRATA[id].product
    for name in architectures:
        for level in levels:
            shape = ARCHITECTURES[name].resolve(on.modulus, {**on.settings, "pipeline": level})
            assert circuit(name, shape, on.a, on.b, mistake).run() == SHOWN[id][0]
            assert circuit(name, shape, on.a, on.b).run() == SHOWN[id][1]


@given(cases(["iddmm1", "iddmm2"], max_bits=64), st.integers(0, 2),
       st.sampled_from([Mistake.NO_BYPASS, Mistake.BEHIND, Mistake.DELAYED]))  # fmt: skip
def test_where_a_mistake_does_not_matter(case: Any, levels: int, mistake: Mistake) -> None:
    """A digit is read as it is written only with n <= levels; E17 needs C_S and a second level."""
    multiplier, a, b = case
    name = {"iddmm1": "iddmm_arch1", "iddmm2": "iddmm_arch2"}[multiplier.model.id]
    n = multiplier.params.digits
    assume(levels < 2 or n > 1)
    harmless = {
        Mistake.NO_BYPASS: n > levels,
        Mistake.BEHIND: name == "iddmm_arch2" or levels < 2,
        Mistake.DELAYED: name == "iddmm_arch1",
    }
    assume(harmless[mistake])
    shape = ARCHITECTURES[name].resolve(multiplier.modulus.modulus, {**multiplier.settings, "pipeline": levels})
    assert circuit(name, shape, a, b, mistake).rows == circuit(name, shape, a, b).rows
    assert circuit(name, shape, a, b, mistake).run() == ARCHITECTURES[name].model.closed_form(shape.params, a, b)
