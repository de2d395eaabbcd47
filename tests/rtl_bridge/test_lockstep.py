# SPDX-License-Identifier: Apache-2.0
"""Lock-step of the checked-in cores: every watched signal in every cycle, in both simulators."""

import pytest

from rtl_bridge.builds import build
from rtl_bridge.shell import Shell
from rtl_bridge.simulation import simulate
from tests.rtl_bridge.helpers import CORES, SIGNALS, job

# Moduli, digit counts and passes that one build with K = 16 and NMax = 16 takes at run time.
SHAPES = [
    ("mlkem", {}, "mixed"),
    ("3", {}, "lazy"),
    ("2^16-15", {"passes": 3}, "lazy"),
    ("curve25519", {}, "lazy"),
    ("secp256k1", {"n": 16, "passes": 17}, "lazy"),
    ("goldilocks64", {"n": 9, "passes": 2}, "mixed"),
]


@pytest.mark.parametrize(("prime", "settings", "kind"), SHAPES)
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("core", CORES)
def test_every_shape_from_one_build(core: str, simulator: str, prime: str, settings: dict[str, int], kind: str) -> None:
    count = 150 if simulator == "verilator" else 30
    asked = job(core, prime, settings={"radix": "2^16", **settings}, kind=kind, simulator=simulator, count=count)
    report = simulate(asked)
    assert report.passed, report.text()
    params = report.about["params"]
    assert report.about["build"] == {"K": 16, "NMax": 16}
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * params["passes"] * (params["n"] + 2)
    assert report.document["signals"] == SIGNALS[core]


@pytest.mark.parametrize(
    ("radix", "prime"), [("2^2", "61"), ("2^5", "mldsa"), ("2^64", "p521"), ("2^51", "curve25519")]
)
@pytest.mark.parametrize("core", CORES)
def test_every_radix(core: str, radix: str, prime: str) -> None:
    assert simulate(job(core, prime, settings={"radix": radix}, kind="lazy", count=25)).passed


def test_products_longer_than_the_row_buffer() -> None:
    report = simulate(job(prime="p521", settings={"radix": "2^16"}, count=3))
    assert report.passed
    assert report.document["cycles"] == 3 * 33 * 35


def test_another_build_is_asked_for() -> None:
    report = simulate(job(settings={"radix": "2^4"}, build={"NMax": 3}, count=10))
    assert report.passed
    assert report.about["build"]["NMax"] == 3


def test_a_build_serves_every_modulus_that_fits() -> None:
    texts = {
        Shell(job(prime=prime, settings={"radix": "2^16"}).bind()).text for prime in ("mlkem", "secp256k1", "2^255-19")
    }
    assert len(texts) == 1


def test_a_build_is_used_again() -> None:
    shell = Shell(job(settings={"radix": "2^4"}).bind())
    first = build(shell, "icarus", "lockstep", waves=False)
    before = (first.folder / "sim").stat().st_mtime_ns
    assert build(shell, "icarus", "lockstep", waves=False) == first
    assert (first.folder / "sim").stat().st_mtime_ns == before
