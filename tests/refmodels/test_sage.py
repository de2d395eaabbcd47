# SPDX-License-Identifier: Apache-2.0
"""SageMath recomputes thousands of products, and proves the catalogue's statements about its moduli."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.certificate import sage_referee
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import Case, VectorSet
from tests.shapes import ANY_MODULUS, KOC

RANGES = ("a", "b", "result")
COMPOSITES = {"2^255-1": 2**255 - 1, "2^64+1": 2**64 + 1, "3^161": 3**161}
SETTINGS: dict[str, list[dict[str, str | int]]] = {
    "cios": [{}, {"w": 17}],
    "fpmm": [{}, {"w": 17, "sigma": 3}],
    "r2mm": [{}],
    "mwr2mm": [{}],
    "mwr2kmm": [{}, {"k": 17}],
    "imm": [{}, {"k": 13}],
    "iddmm1": [{}, {"k": 16}],
    "iddmm2": [{}, {"k": 64}],
    "orup": [{}, {"r": 17, "tail": 1}],
    "redundant": [{}, {"r1": 16, "tail": 1, "overlap": 1}, {"qcarry": 1}],
    "monpro": [{}, {"n": 4096}],
    "montgomery": [{}, {"r": 4096, "below": "2^N", "final": "unreduced"}, {"r": 7, "below": "2^N"}],
    **{name: [{"w": 17, "below": "2*p"}, {"w": 64, "below": "R", "final": "unreduced"}] for name in KOC},
    "redmonpro": [{}],
    "llmonpro": [{}, {"d": 64}],
    "vdf": [{"d": 64, "t": 9}],
}


def judged(referee: sage_referee.Referee, named: Mapping[str, Any], case: Case) -> Iterator[sage_referee.Finding]:
    if case.checkpoints is None:
        return referee.check(case.a, case.b, case.result, case.residue)
    return referee.check_chain(case.a, named["t"], case.result, case.residue, case.checkpoints)


def test_every_model_with_a_modulus_is_judged() -> None:
    assert set(SETTINGS) == {name for name in ANY_MODULUS if MODELS[name].has_modulus}


def test_a_wrong_chain_is_seen() -> None:
    referee = sage_referee.Referee(251, True, 2**16, {"a": 250, "b": 0, "result": 250})
    right, way = pow(3, 2**9, 251), ((2, 81), (4, pow(81, 4, 251)))
    assert list(referee.check_chain(3, 9, right, right, way)) == []
    for wrong in ((4, 9, right, right, way), (3, 8, right, right, way), (3, 9, right + 1, right + 1, way),
                  (3, 9, right, right, ((2, 80), way[1])), (3, 9, right, right + 1, way)):  # fmt: skip
        assert list(referee.check_chain(*wrong))


@pytest.mark.parametrize("name", [*CATALOGUE, *COMPOSITES])
def test_products(name: str) -> None:
    modulus = COMPOSITES.get(name) or CATALOGUE[name].modulus
    prime = name not in COMPOSITES and CATALOGUE[name].primality == "prime"
    for model in SETTINGS:
        for given in SETTINGS[model]:
            multiplier = Multiplier.resolve(model, modulus, given)
            params = multiplier.params
            limits = (*params.limits, params.result_limit - 1)
            ranges = dict(zip(RANGES, limits, strict=True))
            head = sage_referee.Head(model, modulus, "", params.radix_bits, dict(params.named), None, {})
            kinds = head.subtracts, head.scaling, model in sage_referee.REDUNDANT
            referee = sage_referee.Referee(modulus, prime, params.domain, ranges, *kinds)
            for kind in ("lazy", "mixed"):
                points = 3 if model in sage_referee.CHAINS else 0
                for case in VectorSet(VectorRequest.resolve(multiplier, 20, 3, kind, checkpoints=points)).cases():
                    assert list(judged(referee, params.named, case)) == []


@pytest.mark.parametrize("name", CATALOGUE)
def test_primality_is_proved(name: str) -> None:
    entry = CATALOGUE[name]
    assert entry.primality == ("prime" if sage_referee.is_prime(entry.modulus) else "composite")


def test_composite_moduli_are_called_composite() -> None:
    composite = ["iddmm-a1024", "rsa-768", "rsa-1024", "rsa-1536", "rsa-2048"]
    assert [name for name, entry in CATALOGUE.items() if entry.primality == "composite"] == composite
    assert sage_referee.examine(2**64 + 1)["factors"][0] == {"prime": hex(274177), "exponent": 1}
