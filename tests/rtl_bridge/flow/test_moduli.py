# SPDX-License-Identifier: Apache-2.0
"""`limbtrace moduli`: the list of a width, and what of it a core takes."""

import re
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import is_prime

from limbtrace.refmodels.directed_moduli import directed_moduli
from limbtrace.rtl_bridge.flow.moduli import moduli
from limbtrace.vectors.catalogue.moduli import DirectedModuli
from limbtrace.vectors.cli import cli
from limbtrace.vectors.document import adapter
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of
from tests.vectors.test_cli import document, good, run


@pytest.fixture(autouse=True)
def _mounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of this checkout, whatever is installed."""
    monkeypatch.setitem(cli.commands, "moduli", moduli)


TOY = "TOY"
"""In place of a toy that takes wide moduli alone."""


def values(found: Any) -> list[int]:
    return [int(entry["modulus"], 16) for entry in found["moduli"]]


def test_the_list_of_a_width(capfd: Any) -> None:
    found = document(capfd, "moduli", "--bits", "128", "--radix", "2^32", "--json")
    adapter(DirectedModuli).validate_python(found)
    assert (found["bits"], found["radix"], len(found["moduli"])) == (128, "2^32", 43)
    wanted = [*directed_moduli(128, 32)]
    assert values(found) == [entry.modulus for entry in wanted]
    assert [entry["reason"] for entry in found["moduli"]] == [entry.reason for entry in wanted]
    assert found["moduli"][0]["expression"] == "2^128 - 159"
    assert "expression" not in found["moduli"][1]
    assert {entry["primality"] for entry in found["moduli"]} == {"prime"}


def test_what_is_asked_for_of_a_width(capfd: Any) -> None:
    asked = ("moduli", "--bits", "2^3+4", "--radix", "2^4", "--json")
    assert len(document(capfd, *asked, "--count", "3")["moduli"]) == 3
    assert not any(map(is_prime, values(document(capfd, *asked, "--composite", "only"))))
    kinds = {entry["primality"] for entry in document(capfd, *asked, "--composite", "yes", "--even")["moduli"]}
    assert kinds == {"prime", "composite", "prime power"}
    assert any(p % 2 == 0 for p in values(document(capfd, *asked, "--composite", "yes", "--even")))
    assert {p.bit_length() for p in values(document(capfd, *asked, "--widths"))} == {8, 10, 11, 12, 16}
    assert document(capfd, "moduli", "--bits", "70", "--json")["radix"] == "2^16"


def test_the_list_as_text(capfd: Any) -> None:
    first, second = good(capfd, "moduli", "--bits", "64", "--radix", "2^16", "--count", "2").splitlines()
    assert re.split("  +", first) == ["0xffffffffffffffc5", "prime", "nearest below 2^64", "2^64 - 59"]
    assert re.split("  +", second) == ["0xfffefffefffeffa7", "prime", "every bit 16*k is 0; nearest below 2^64"]
    assert good(capfd, "moduli", "--bits", "3", "--composite", "only") == "no modulus is like this\n"


def test_a_core_has_its_radix_and_composite_moduli(capfd: Any) -> None:
    found = document(capfd, "moduli", "--bits", "64", "--core", CORE, "--set", "k=16", "--count", "9", "--json")
    assert found["radix"] == "2^16"
    assert {entry["primality"] for entry in found["moduli"]} == {"composite"}
    assert found["moduli"][1]["reason"] == "every bit 16*k is 0; nearest below 2^64"


def test_a_core_takes_what_its_conditions_say(capfd: Any, tmp_path: Path) -> None:
    """Those with the property that are nearest among them, not only those that are nearest of all."""
    toy = copy_of(
        TOYS / "mont_toy", tmp_path, ("core.toml", '["odd", "N <= 509"]', '["prime", "p % 64 == 1", "N <= 509"]')
    )
    found = values(document(capfd, "moduli", "--bits", "60", "--core", str(toy), "--radix", "2^16", "--json"))
    assert len(found) > 20
    assert all(p % 64 == 1 and is_prime(p) for p in found)


def test_a_core_takes_what_its_model_and_its_ports_take(capfd: Any) -> None:
    """Widths that the core has no room for are left out."""
    asked = ("moduli", "--bits", "509", "--core", str(TOYS / "mont_toy"), "--widths", "--count", "60", "--json")
    assert {p.bit_length() for p in values(document(capfd, *asked))} == {493, 507, 508, 509}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bits", "1"], "bits: 1 is outside 2 to 16384"),
        (["--bits", "64", "--radix", "3"], "radix: the radix must be a power of two of at least 2, and 3 is none"),
        (["--bits", "64", "--count", "0"], "count: 0 is outside 1 to 1000"),
        (["--bits", "64", "--composite", "x"], "composite: 'x' is none of no, yes, only"),
        (["--bits", "64", "--even"], "even: 2 is the only even prime, so even moduli need composite = yes or only"),
        (["--bits", "64", "--set", "k=4"], "set: it is a parameter of a core, which --core names"),
        (["--bits", "64", "--core", "nix"], "core: "),
        (["--bits", "64", "--core", CORE, "--set", "k=x"], "k: "),
        (["--bits", "12", "--core", TOY], "core: mont_toy takes none of these moduli of 12 bits"),
    ],
)  # fmt: skip
def test_wrong_requests(capfd: Any, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    copy_of(TOYS / "mont_toy", tmp_path, ("core.toml", "N <= 509", "N >= 509"))
    arguments = [str(tmp_path / "mont_toy") if given == TOY else given for given in arguments]
    code, out, err = run(capfd, "moduli", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"limbtrace: {sentence}")
    assert err.count("\n") == 1
