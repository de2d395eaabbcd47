# SPDX-License-Identifier: Apache-2.0
"""What takes a modulus and a radix: lists with filters, and requests that name no model or core."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue.fitting import not_named
from limbtrace.vectors.cli import main
from limbtrace.vectors.options import FilterQuery
from limbtrace.vectors.request import CoreRequest, Multiplier

PRIMES = ("p256", "sike-p434", "mlkem", "ntt60-n65536", "rsa-2048", "2^607-1", "12")


def ids(document: dict[str, Any]) -> set[str]:
    (entries,) = (value for value in document.values() if isinstance(value, list))
    return {entry["id"] for entry in entries}


def takes(model: str, prime: str, chosen: dict[str, str]) -> bool:
    try:
        Multiplier.resolve(model, prime, chosen)
    except ParameterError:
        return False
    return True


@given(st.sampled_from(PRIMES), st.one_of(st.none(), st.integers(1, 600)))
@settings(max_examples=25)
def test_a_list_has_exactly_what_takes_the_modulus_and_the_radix(prime: str, k: int | None) -> None:
    radix = None if k is None else f"2^{k}"
    chosen = {} if radix is None else {"radix": radix}
    found = ids(catalogue.models_document(FilterQuery(prime=prime, radix=radix)))
    assert found == {name for name in MODELS if takes(name, prime, chosen)}
    assert found == {entry["id"] for entry in not_named("model", prime, radix)[1]}


@pytest.mark.parametrize("prime", PRIMES)
@pytest.mark.parametrize("radix", [None, "2^16", "2^34"])
def test_values_and_ranges_are_those_that_hold_there(prime: str, radix: str | None) -> None:
    """Both ends of a range of numbers are taken, and the numbers beside them are not."""
    chosen = {} if radix is None else {"radix": radix}
    for entry in catalogue.models_document(FilterQuery(prime=prime, radix=radix))["models"]:
        fitting = entry["fitting"]
        m = Multiplier.resolve(entry["id"], prime, chosen)
        assert (fitting["radix"], fitting["prime"]["modulus"]) == (m.radix, f"{m.modulus.modulus:#x}")
        for parameter in fitting["parameters"]:
            name, text = parameter["name"], parameter["range"]
            assert parameter["default"] == str(m.settings.get(name, parameter["default"]))
            power = "2^" if name == "radix" else ""
            ends = text.replace(power, "").split(" to ") if power else text.split(" to ")
            if len(ends) == 2 and all(end.isdecimal() for end in ends):
                low, high = map(int, ends)
                own = {other: value for other, value in chosen.items() if other != name}
                for value, is_taken in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
                    assert takes(entry["id"], prime, {**own, name: f"{power}{value}"}) == is_taken, (entry["id"], name)


def test_the_addresses_are_requests_that_are_served() -> None:
    for entry in catalogue.models_document(FilterQuery(prime="P-256", radix="1<<34"))["models"]:
        assert entry["fitting"]["url"] == f"/v1/vectors?model={entry['id']}&prime=p256.fp&radix=2%5E34"
    cores = catalogue.cores_document(FilterQuery(prime="p256", radix="2^34"))["cores"]
    assert {core["id"] for core in cores} >= {"iddmm_arch2", "redundant"}
    for core in cores:
        assert core["fitting"]["url"].startswith(f"/v1/cycles?core={core['id']}&prime=p256.fp&radix=2%5E34&count=")
        values = {p["name"]: p["default"] for p in core["fitting"]["parameters"]}
        request = CoreRequest.resolve(core["id"], "p256", {"radix": "2^34"})
        assert (
            values.items() >= {k: str(v) for k, v in request.architecture.own_settings(request.shape).items()}.items()
        )


def test_a_width_or_a_radix_alone() -> None:
    wide = catalogue.models_document(FilterQuery(bits="434"))["models"]
    assert "hffm" in {entry["id"] for entry in wide}, "at a modulus of the catalogue"
    assert {entry["fitting"]["prime"]["bits"] for entry in wide} == {434}
    assert "hffm" not in ids(catalogue.models_document(FilterQuery(bits=433)))
    bits = ids(catalogue.models_document(FilterQuery(radix="2")))
    assert {"r2mm", "mwr2mm"} <= bits
    assert not {"cios", "redundant"} & bits
    assert "ozturk" in ids(catalogue.models_document(FilterQuery(radix="2^16"))), "it has no modulus"
    assert "ozturk" not in ids(catalogue.models_document(FilterQuery(radix="2^16", prime="p256")))
    assert "fpmm" not in ids(catalogue.cores_document(FilterQuery(radix="2^2000")))


def test_moduli() -> None:
    def names(**asked: Any) -> list[str]:
        return [entry["name"] for entry in catalogue.primes_document(FilterQuery(**asked))["primes"]]

    assert names(bits=384) == [name for name, entry in CATALOGUE.items() if entry.bits == 384]
    assert names(prime="secp256k1") == ["secp256k1.fp", "iddmm-a256", "secq256k1.fr"]
    assert names(prime="2^255-21") == []
    assert names(radix="2^34", bits=64) == ["goldilocks64"]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [({"radix": "34"}, "for digits of 34 bits it is 2^34"), ({"prime": "nix"}, "the catalogue has no 'nix'"),
     ({"bits": "1"}, "1 is outside 2 to 16384"), ({"prime": "p256", "bits": 255}, "the modulus has 256 bits"),
     ({"bits": "x"}, "not part of an integer")],
)  # fmt: skip
def test_wrong_filters(asked: dict[str, Any], reason: str) -> None:
    for document in (catalogue.models_document, catalogue.cores_document, catalogue.primes_document):
        with pytest.raises(ParameterError) as caught:
            document(FilterQuery(**asked))
        assert reason in caught.value.reason


def test_lists_without_a_filter_are_as_before() -> None:
    assert ids(catalogue.models_document()) == {*MODELS}
    assert ids(catalogue.cores_document()) == {*ARCHITECTURES}
    assert not [entry for entry in catalogue.models_document()["models"] if "fitting" in entry]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["vectors", "--prime", "p256", "--radix", "2^34"],
      "model: the request does not give it; prime 'p256' with radix '2^34' is taken by cios, fpmm, "),
     (["trace", "--prime", "mlkem"], "model: the request does not give it; prime 'mlkem' is taken by cios, "),
     (["cycles", "--prime", "p256"], "core: the request does not give it; prime 'p256' is taken by iddmm_arch1, "),
     (["constants"], "model: the request does not give it; there is cios, fpmm, "),
     (["vectors", "--prime", "p256", "--radix", "34"], "radix: the radix must be a power of two"),
     (["models", "cios", "--prime", "p256"], "model: one is described alone")],
)  # fmt: skip
def test_commands_without_a_model(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"limbtrace: {said}")
    assert len(err) < 300


def test_lists_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, line in (
        (
            ["models", "--prime", "P-256", "--radix", "2^34"],
            "cios            a, b < 2P ",
        ),
        (["cores", "--prime", "p256"], "iddmm_arch2 "),
        (["primes", "--bits", "64"], "goldilocks64  64 bits  prime"),
        (["cores", "--prime", "12"], "barrett_pipeline  alpha 7 "),
        (["primes", "--bits", "63"], "the catalogue has no such modulus"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 0
        assert line in capsys.readouterr().out


def test_a_modulus_that_no_core_takes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of Barrett's family take every modulus."""
    odd = {name: core for name, core in ARCHITECTURES.items() if not core.model.even_moduli}
    monkeypatch.setattr("limbtrace.vectors.catalogue.fitting.ARCHITECTURES", odd)
    with pytest.raises(SystemExit) as caught:
        main(["cores", "--prime", "12"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == "no core takes this\n"


@pytest.mark.parametrize(
    ("model", "prime", "radix", "is_taken"),
    [("monpro", "p256", "2^32", True), ("monpro", "p256", "2^34", False), ("montgomery", "p256", "2^64", True),
     ("barrett", "p256", "2^34", True), ("hffm", "sike-p434", "2^34", True), ("r2mm", "p256", "2", True),
     ("r2mm", "p256", "2^34", False)],
)  # fmt: skip
def test_a_radix_of_models_without_one(model: str, prime: str, radix: str, is_taken: bool) -> None:
    """It is refused where it contradicts R, and else it is the same request."""
    if is_taken:
        assert Multiplier.resolve(model, prime, {"radix": radix}) == Multiplier.resolve(model, prime, {})
    else:
        with pytest.raises(ParameterError) as caught:
            Multiplier.resolve(model, prime, {"radix": radix})
        assert caught.value.parameter == "radix"
