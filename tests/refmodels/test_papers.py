# SPDX-License-Identifier: Apache-2.0
"""Published test vectors and corner vectors, and every erratum with its counterexample."""

from dataclasses import replace
from typing import Any

import pytest

from limbtrace.refmodels.digits import largest_digits
from limbtrace.refmodels.erratum import Erratum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import PRINTED, Model, Run
from limbtrace.refmodels.papers.iddmm.mwr2kmm.algorithm import Mwr2kmm
from limbtrace.refmodels.papers.llmonpro.errata import PARAMETER_SETS
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import MODELS, errata

IDDMM = ("iddmm1", "iddmm2")


def hexadecimal(entry: dict[str, Any], *names: str) -> list[int]:
    return [int(entry[name], 16) for name in names]


@pytest.mark.budget
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


@pytest.mark.parametrize("bits", [256, 512, 1024])
def test_appendix_a_in_the_algorithms_before_iddmm(bits: int, iddmm_data: Any) -> None:
    """Every algorithm with a total division by 2^bits gives the same sum; two of them subtract p from it."""
    (entry,) = (e for e in iddmm_data["appendix"] if e["bits"] == bits)
    p, x, y, mm, reduced = hexadecimal(entry, "p", "x", "y", "mm", "reduced")
    shapes: list[tuple[str, dict[str, int], int]] = [("r2mm", {}, reduced), ("mwr2mm", {"w": 64}, mm)]
    for text in entry["p_prime"]:
        k = int(text)
        shapes += [("imm", {"k": k, "passes": bits // k}, mm), ("mwr2kmm", {"k": k, "w": 64, "D": bits // k}, reduced)]
    for name, given, golden in shapes:
        model = MODELS[name]
        params = model.resolve(p, given)
        model.check_operands(params, x, y)
        assert params.domain == 1 << bits
        if name in ("imm", "mwr2kmm"):
            assert params.constants["p'"] == int(entry["p_prime"][str(given["k"])], 16)
        run = model.run(params, x, y)
        assert run.result == model.closed_form(params, x, y) == golden
        assert run.values.get(("Sfinal", ()), mm) == mm
    for text, golden_text in entry["one_more_pass"].items():  # what figure 4 prints: n + 1 passes
        model = MODELS["imm"]
        params = model.resolve(p, {"k": int(text)})
        assert model.run(params, x, y).result == model.closed_form(params, x, y) == int(golden_text, 16)


def test_corner_vectors_in_the_algorithms_before_iddmm(iddmm_data: Any) -> None:
    """Compares algorithms wherever the operands are in range and R is the same."""
    tried = {"r2mm": 0, "mwr2mm": 0, "mwr2kmm": 0, "imm": 0}
    for entry in iddmm_data["corners"]:
        p, x, y, result = hexadecimal(entry, "p", "x", "y", "result")
        k, passes = entry["k"], entry["passes"]
        serial = k * passes == p.bit_length() and x >> (k * passes) == 0
        shapes: list[tuple[str, dict[str, int], bool]] = [
            ("imm", {"k": k, "n": entry["n"], "passes": passes}, True),
            ("r2mm", {}, serial and y <= p),
            ("mwr2mm", {"w": k}, serial and y < p),
            ("mwr2kmm", {"k": k, "w": k, "D": passes}, x < 1 << min(p.bit_length(), k * passes - 1) and y < p),
        ]
        for name, given, fits in shapes:
            if not fits:
                continue
            model = MODELS[name]
            run = model.run(model.resolve(p, given), x, y)
            assert run.result == (result % p if name in ("r2mm", "mwr2kmm") else result), entry["name"]
            assert not list(model.violations(run))
            tried[name] += 1
    assert tried["imm"] == 68
    assert min(tried.values()) > 15


class _CarryFill(Mwr2kmm):
    """The corrected figure 3 with its sign taken from the carries, E9 (e)."""

    @property
    def fills_with_sign(self) -> bool:
        return False


class _LongRecoding(Mwr2kmm):
    """The corrected figure 3 with digits recoded from k + 2 bits, E9 (a)."""

    @property
    def booth_bits(self) -> int:
        return self.radix_bits + 1


def test_each_fault_of_figure_3_alone() -> None:
    """Erratum E9: numbers computed by hand, each for the one fault that it names."""
    model = MODELS["mwr2kmm"]

    def run(kind: type[Mwr2kmm], p: int, k: int, D: int, NW: int, a: int, b: int) -> Run:
        return model.run(kind(p, k, D, D, w=4, NW=NW), a, b)

    digits = [value for name, _, value in run(_LongRecoding, 5, 3, 2, 2, 4, 1).steps if name == "qY"]
    assert sum(digit << (3 * i) for i, digit in enumerate(digits)) == 12
    assert run(Mwr2kmm, 5, 3, 2, 2, 4, 1).result == 4 * pow(64, -1, 5) % 5 == 1
    assert run(Mwr2kmm, 5, 3, 1, 2, 4, 1).result == 2  # (b), where 4/8 mod 5 is 3
    assert run(_CarryFill, 5, 3, 2, 2, 4, 1).result == 24  # (e)
    assert run(Mwr2kmm, 3, 2, 2, 1, 1, 2).result == 1  # (f)
    assert run(Mwr2kmm, 3, 2, 2, 2, 1, 2).result == 2


def test_the_other_repair_of_figure_2() -> None:
    """Erratum E8, counted: 55 of the 596 products for moduli of four bits go wrong with one word of four bits."""
    model, products, wrong = MODELS["mwr2mm"], 0, 0
    for p in (9, 11, 13, 15):
        params = model.resolve(p, {"w": 4, "form": "printed"})
        for a in range(p):
            for b in range(p):
                products += 1
                wrong += (model.result(params, a, b) * 16 - a * b) % p != 0
    assert (wrong, products) == (55, 596)


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


@pytest.mark.parametrize(
    ("name", "given"), [("cios", {}), ("fpmm", {}), ("fpmm", {"sigma": 1}), ("fpmm", {"theta": True})]
)
def test_fpmm_corner_vectors(name: str, given: dict[str, int], fpmm_data: Any) -> None:
    """In fpmm, the visits of LM 0 are sigma apart."""
    model = MODELS[name]
    assert len(fpmm_data["products"]) == 15
    for entry in fpmm_data["products"]:
        p, a, b, result = hexadecimal(entry, "p", "a", "b", "t")
        own = {key: entry["s"] + 1 if key == "theta" else value for key, value in given.items()}
        params = model.resolve(p, {"w": entry["w"], "s": entry["s"], **own})
        apart = params.named.get("sigma", 1)
        run = model.run(params, a, b)
        assert not list(model.violations(run))
        assert run.result == model.closed_form(params, a, b) == result
        if "p_prime" in entry:
            assert params.constants["P'"] == int(entry["p_prime"], 16)
        if "q" in entry:
            assert [run.at("q", apart * i) for i in range(entry["s"])] == [int(q, 16) for q in entry["q"]]
        for name in ("us", "T"):
            for i, value in entry.get(name, {}).items():
                assert run.at(name, apart * int(i)) == int(value, 16)
        for i in entry.get("wide", []):
            assert run.at("T", apart * i) >= 2 * p


WITNESSES = [witness for erratum in errata(Erratum) for witness in erratum.each]


@pytest.mark.parametrize(("erratum", "model"), [(e, m) for e in WITNESSES for m in e.models], ids=lambda v: v.id)
def test_erratum_is_shown_by_its_product(erratum: Erratum, model: Model) -> None:
    assert erratum.shown(model)
    run = erratum.run(model)
    assert not list(model.violations(run))
    assert (erratum.kind == "form") == (erratum.claim is None)


ONE_BY_ONE = 0xA3B741B0BE4034830AC9BD1905155383999C46C2C295F2B761BCB2235B24E07ECD365
"""1*1 modulo the prime of secp256k1, radices 2^22 and 2^15."""
RESULTS = {  # id: (corrected, printed where the printed form goes wrong)
    "iddmm.E1": (6, None), "iddmm.E1b": (7, None), "iddmm.E2": (17, 1), "iddmm.E3": (8, None),
    "iddmm.E4": (15, None), "iddmm.E5": (4, 0), "iddmm.E6": (15, None), "iddmm.E7": (12, None),
    "iddmm.E8": (14, 6), "iddmm.E8b": (14, None), "iddmm.E9": (1, 19), "iddmm.E9a": (1, None),
    "iddmm.E9b": (1, None), "iddmm.E9c": (2, None), "iddmm.E9e": (1, None), "iddmm.E9f": (2, None),
    "iddmm.E9g": (1, None), "iddmm.E10": (1, None), "iddmm.E11": (3, None), "iddmm.E12": (7, None),
    "iddmm.E13": (12, None), "iddmm.E27": (2, None), "fpmm.E7": (3, None), "fpmm.E8": (48, None),
    "fpmm.E9": (47, None), "fpmm.E10": (8, None), "fpmm.E11": (4, 4), "fpmm.E12": (8, 0),
    "fpmm.E13": (48, None), "fpmm.E14": (8, None),
    "redundant.E1": (8, None), "redundant.E1b": (8, None),
    "redundant.E2": (0x1A0C6E1B0BE4034830AC9BD1905155383999C46C2C295F2B761BCB2225E153CB90494B, None),
    "redundant.E3": (0x1D118E4894D4C3FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFE2EE71487B2B39, None),
    "redundant.E4": (ONE_BY_ONE, None), "redundant.E5": (143, None), "redundant.E6": (61, None),
    "redundant.E8": (ONE_BY_ONE, 0x17D16C60EE3D1E19C5C47DF7802B422FDAE7675D8EDE83E1C0CA6F6F229B4BC232981A),
    "redundant.E9": (ONE_BY_ONE, None), "redundant.E10": (1, None), "redundant.E11": (25, None),
    "redundant.E12": (25, None), "redundant.E14": (99, None),
    "redundant.E17": (0xFDF24D628992CAAE57EF281AF285794359435E3CA1AED79434A1AF235E50C3389E8F4, None),
    "redundant.E26": (ONE_BY_ONE, None),
    "hffm.E1": (14, None), "hffm.E2": (3, None), "hffm.E3": (1, 18), "hffm.E4": (1, None), "hffm.E5": (1, None),
    "hffm.E5b": (1, None), "hffm.E6": (18, 54), "hffm.E7": (37, 38), "hffm.E8": (1, 71), "hffm.E9": (0, 71),
    "hffm.E10": (0, None), "hffm.E11": (9 * 119, None), "hffm.E11b": (56, None), "hffm.E12": (26 * 105, None),
    "hffm.E13": (1, None), "hffm.E14": (471 * 29 % 8747, None), "hffm.E14b": (1, None), "hffm.E19": (0, 35),
    "llmonpro.E1": (0x1025F75137405BC2173EF65D6237E6BF0, 0x1025F75137405BC2173EF65D6237E6BEF),
    "llmonpro.E1-square": (0xA8609A931EF70D17B2C03BE78AB38F23, 0xA8609A931EF70D17B2C03BE78AB38F22),
    # 3 and 2, and with k >= 8 the modulus added
    **{f"llmonpro.E1-{n}-{d}": (3 + more, 2 + more) for n, d in PARAMETER_SETS
       for more in [(2**n - 1) * (n // d > 4)]},
    "llmonpro.E2": (945, None), "llmonpro.E10": (129, None),
    "llmonpro.E3": (pow(2, 2**12, 2**128 - 159), 0x68FA3C093CC5B839284886D1E0B59E91),
    "llmonpro.E4": (0x20002FFFFFFFFFFFFFFFFFFFFFFFFFFFF2A8A697DDB294C42BED85E6BA137AA9E,
                    0x10002FFFFFFFFFFFFFFFFFFFFFFFFFFFF2A8A697DDB294C42BED85E6BA137AA9E),
    "llmonpro.E4b": (0x4B11B5EFE63D2EB11B5EFE63D2EB11875, 0x1B11B5EFE63D2EB11B5EFE63D2EB11874),
    "llmonpro.E6": (largest_digits(16, 9) ** 2, largest_digits(16, 9) ** 2 - (4 << 288)),
    "llmonpro.E7": (109 * 82, 3818),
    "llmonpro.E7b": (largest_digits(3, 6) * 7 // 15 * (largest_digits(3, 6) * 9 // 15), None),
}  # fmt: skip


def test_errata_give_the_results_of_the_sheets() -> None:
    assert {witness.id for witness in WITNESSES} == set(RESULTS)
    for erratum in WITNESSES:
        corrected, printed = RESULTS[erratum.id]
        for model in erratum.models:
            assert erratum.run(model).result == corrected
            if printed is not None:
                assert erratum.run(model, PRINTED).result == printed


def test_an_erratum_with_a_harmless_product_is_not_shown() -> None:
    """The check of errata can fail: with operands 0 the printed form is right."""
    for erratum in WITNESSES:
        harmless = replace(erratum, a=0, b=0, others=())
        assert not harmless.shown(erratum.models[0])


def test_one_pass_more_is_another_r() -> None:
    """Erratum E1: R is beta^passes, despite the header."""
    for name in IDDMM:
        model = MODELS[name]
        results = [model.run(model.resolve(11, {"k": 2, "passes": t}), 7, 9).result for t in (2, 3)]
        assert results == [6, 7]
        assert [r * 4**t % 11 for r, t in zip(results, (2, 3), strict=True)] == [63 % 11] * 2


def test_an_operand_longer_than_the_passes_is_refused() -> None:
    """Erratum E5: Y = 4 has two digits of radix 4; a single pass would scan only the digit 0."""
    for name in IDDMM:
        model = MODELS[name]
        with pytest.raises(ParameterError, match="b: 0x4 is outside 0 <= b < beta\\^passes, that is up to 0x3"):
            model.check_operands(model.resolve(3, {"k": 2}), 1, 4)
        assert model.run(model.resolve(3, {"k": 2, "passes": 2}), 1, 4).result == 1


def test_every_mended_erratum_is_on_record() -> None:
    """A form that had to be corrected names errata, and each of them is listed with a product that shows it."""
    known = {erratum.id: erratum.models for erratum in errata(Erratum)}
    for model in MODELS.values():
        for mended in model.mended.values():
            assert mended
            assert all(id in known for id in mended)
