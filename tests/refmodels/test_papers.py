# SPDX-License-Identifier: Apache-2.0
"""Published test vectors and corner vectors, and every erratum with its counterexample."""

from typing import Any

import pytest

from refmodels.errata import ERRATA, Erratum
from refmodels.errors import ParameterError
from refmodels.model import PRINTED
from refmodels.primes import CATALOGUE
from refmodels.registry import MODELS

IDDMM = ("iddmm1", "iddmm2")


def hexadecimal(entry: dict[str, Any], *names: str) -> list[int]:
    return [int(entry[name], 16) for name in names]


@pytest.mark.parametrize("bits", [256, 512, 1024])
@pytest.mark.parametrize("name", IDDMM)
def test_appendix_a(name: str, bits: int, iddmm_data: Any) -> None:
    model = MODELS[name]
    (entry,) = (e for e in iddmm_data["appendix"] if e["bits"] == bits)
    p, x, y, mm, reduced = hexadecimal(entry, "p", "x", "y", "mm", "reduced")
    assert CATALOGUE[f"iddmm-a{bits}"].modulus == p
    assert mm % p == reduced
    for text, p_prime in entry["p_prime"].items():
        k = int(text)
        params = model.resolve(p, {"k": k})
        assert params.domain == 1 << bits
        assert params.constants["p'"] == int(p_prime, 16)
        assert model.closed_form(params, x, y) == mm
        run = model.run(params, x, y)
        assert run.result == mm
        top = [value for step, index, value in run.steps if step == "A" and index[1] == params.digits]
        assert sum(map(bool, top)) == entry["wide_passes"][text]
        if name == "iddmm2" or k > 4:  # both algorithms lose the same digit, and a million steps take a second
            literal = model.result(model.resolve(p, {"k": k, "form": PRINTED}), x, y)
            assert (literal == mm) == (k in entry["literal_right"])
        longer = model.resolve(p, {"k": k, "passes": params.digits + 1})
        assert model.closed_form(longer, x, y) == int(entry["one_more_pass"][text], 16)


@pytest.mark.parametrize("name", IDDMM)
def test_iddmm_corner_vectors(name: str, iddmm_data: Any) -> None:
    model = MODELS[name]
    assert len(iddmm_data["corners"]) == 68
    for entry in iddmm_data["corners"]:
        p, p_prime, x, y, result, literal = hexadecimal(entry, "p", "p_prime", "x", "y", "result", "literal")
        given = {"k": entry["k"], "n": entry["n"], "passes": entry["passes"]}
        params = model.resolve(p, given)
        assert params.constants["p'"] == p_prime
        run = model.run(params, x, y)
        assert run.result == model.closed_form(params, x, y) == result, entry["name"]
        assert not list(model.violations(run))
        printed = model.resolve(p, {**given, "form": PRINTED})
        assert model.result(printed, x, y) == literal, entry["name"]


def test_fpmm_corner_vectors(fpmm_data: Any) -> None:
    model = MODELS["cios"]
    assert len(fpmm_data["products"]) == 15
    for entry in fpmm_data["products"]:
        p, a, b, result = hexadecimal(entry, "p", "a", "b", "t")
        params = model.resolve(p, {"w": entry["w"], "s": entry["s"]})
        run = model.run(params, a, b)
        assert run.result == model.closed_form(params, a, b) == result
        if "p_prime" in entry:
            assert params.constants["P'"] == int(entry["p_prime"], 16)
        if "q" in entry:
            assert [run.at("q", i) for i in range(entry["s"])] == [int(q, 16) for q in entry["q"]]
        for name in ("us", "T"):
            for i, value in entry.get(name, {}).items():
                assert run.at(name, int(i)) == int(value, 16)
        for i in entry.get("wide", []):
            assert run.at("T", i) >= 2 * p


@pytest.mark.parametrize(
    ("erratum", "model"), [(e, m) for e in ERRATA for m in e.models], ids=lambda v: getattr(v, "id", v)
)
def test_erratum_is_shown_by_its_product(erratum: Erratum, model: str) -> None:
    assert erratum.shown(model)
    run = erratum.run(model)
    assert not list(MODELS[model].violations(run))
    assert (erratum.kind == "form") == (erratum.claim is None)


RESULTS = {  # id: (corrected, printed where the printed form goes wrong)
    "iddmm.E1": (6, None), "iddmm.E2": (17, 1), "iddmm.E3": (8, None), "iddmm.E4": (15, None), "iddmm.E5": (4, 0),
    "iddmm.E7": (12, None), "iddmm.E13": (12, None), "fpmm.E7": (3, None), "fpmm.E8": (48, None),
}  # fmt: skip


def test_errata_give_the_results_of_the_sheets() -> None:
    assert {e.id for e in ERRATA} == set(RESULTS)
    for erratum in ERRATA:
        corrected, printed = RESULTS[erratum.id]
        for model in erratum.models:
            assert erratum.run(model).result == corrected
            if printed is not None:
                assert erratum.run(model, PRINTED).result == printed


def test_an_erratum_with_a_harmless_product_is_not_shown() -> None:
    """The check of errata can fail: with operands 0 nothing goes wrong."""
    for erratum in ERRATA:
        harmless = Erratum(erratum.id, erratum.models, "", "", erratum.modulus, erratum.settings, 0, 0, erratum.claim)
        assert not harmless.shown(erratum.models[0])


def test_one_pass_more_is_another_r() -> None:
    """Erratum E1: R is beta^passes, whatever the header says."""
    for name in IDDMM:
        model = MODELS[name]
        results = [model.run(model.resolve(11, {"k": 2, "passes": t}), 7, 9).result for t in (2, 3)]
        assert results == [6, 7]
        assert [r * 4**t % 11 for r, t in zip(results, (2, 3), strict=True)] == [63 % 11] * 2


def test_an_operand_longer_than_the_passes_is_refused() -> None:
    """Erratum E5: Y = 4 has two digits of radix 4; one pass would see none of it that matters."""
    for name in IDDMM:
        model = MODELS[name]
        with pytest.raises(ParameterError, match="b: 0x4 is outside 0 <= b < beta\\^passes, that is up to 0x3"):
            model.check_operands(model.resolve(3, {"k": 2}), 1, 4)
        assert model.run(model.resolve(3, {"k": 2, "passes": 2}), 1, 4).result == 1


def test_every_mended_erratum_is_on_record() -> None:
    """A form that had to be mended names errata, and each of them is listed with a product that shows it."""
    known = {erratum.id: erratum.models for erratum in ERRATA}
    for model in MODELS.values():
        for mended in model.mended.values():
            assert mended
            assert all(id in known for id in mended)
