# SPDX-License-Identifier: Apache-2.0
"""Lock-step of the checked-in cores: every watched signal in every cycle, in both simulators."""

import pytest

from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORES, SIGNALS, job

# Moduli, digit counts and passes that one build with K = 16 and NMax = 16 accepts at run time.
SHAPES = [
    ("mlkem", {}, "mixed"),
    ("3", {}, "lazy"),
    ("2^16-15", {"passes": 3}, "lazy"),
    ("curve25519", {}, "lazy"),
    ("secp256k1", {"n": 16, "passes": 17}, "lazy"),
    ("goldilocks64", {"n": 9, "passes": 2}, "mixed"),
]
LONG_SHAPES = [*SHAPES[3:], ("2^32-5", {}, "lazy"), ("2^48-59", {}, "lazy")]
"""Shapes with at least two digits, which two pipeline levels need; with two digits the memory of A is bypassed."""


@pytest.mark.parametrize(("prime", "settings", "kind"), SHAPES)
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("core", CORES)
def test_every_shape_from_one_build(core: str, simulator: str, prime: str, settings: dict[str, int], kind: str) -> None:
    count = 150 if simulator == "verilator" else 30
    asked = job(core, prime, settings={"radix": "2^16", **settings}, kind=kind, simulator=simulator, count=count)
    report = simulate(asked)
    assert report.passed, report.text()
    params = report.about["params"]
    assert report.about["build"] == {"K": 16, "NMax": 16, "Pipeline": 0, "UseDsp": 1}
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * params["passes"] * (params["n"] + 2)
    assert report.document["signals"] == SIGNALS[core]


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("core", CORES)
def test_every_shape_with_two_levels(core: str, simulator: str) -> None:
    for prime, settings, kind in LONG_SHAPES:
        levels = {"radix": "2^16", "pipeline": 2, **settings}
        report = simulate(job(core, prime, settings=levels, kind=kind, simulator=simulator, count=30))
        assert report.passed, report.text()
        params = report.about["params"]
        assert params["pipeline"] == 2
        assert report.document["cycles"] == 30 * (params["passes"] * (params["n"] + 4) + 2)
        assert report.document["signals"] == SIGNALS[core] + 5


@pytest.mark.parametrize("core", CORES)
def test_every_shape_with_one_level(core: str) -> None:
    for prime, settings, kind in SHAPES:
        report = simulate(job(core, prime, settings={"radix": "2^16", "pipeline": 1, **settings}, kind=kind, count=30))
        assert report.passed, report.text()
        params = report.about["params"]
        assert report.document["cycles"] == 30 * (params["passes"] * (params["n"] + 3) + 1)
        assert report.document["signals"] == SIGNALS[core] + 3


@pytest.mark.parametrize(("radix", "prime"), [("2^2", "61"), ("2^64", "generic128")])
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("levels", [1, 2])
def test_every_radix_with_levels(levels: int, core: str, radix: str, prime: str) -> None:
    """Includes 128 bits in two digits, where the accumulator's first digit arrives in the cycle that needs it."""
    settings = {"radix": radix, "pipeline": levels}
    assert simulate(job(core, prime, settings=settings, kind="lazy", count=25)).passed


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
        settle(job(prime=prime, settings={"radix": "2^16"})).shell.text for prime in ("mlkem", "secp256k1", "2^255-19")
    }
    assert len(texts) == 1


def test_a_build_is_used_again() -> None:
    shell = settle(job(settings={"radix": "2^4"})).shell
    first = build(shell, "icarus", "lockstep", waves=False)
    before = (first.folder / "sim").stat().st_mtime_ns
    assert build(shell, "icarus", "lockstep", waves=False) == first
    assert (first.folder / "sim").stat().st_mtime_ns == before
