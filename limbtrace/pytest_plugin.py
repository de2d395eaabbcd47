# SPDX-License-Identifier: Apache-2.0
"""Simulations as tests of pytest: a fixture that runs one, and a marker that runs a test for several moduli::

    def test_my_core(limbtrace_sim):
        limbtrace_sim("path/to/my_core", prime="p256", count=1000)

    @pytest.mark.limbtrace(core="path/to/my_core", primes=["p256", "2^255-19"], counts=[100], disturb="all")
    def test_every_prime(limbtrace_report):
        assert limbtrace_report.tally.cycles < 100_000

A difference fails the test with the report of `limbtrace sim`, which is in pytest's JUnit file, too.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.run.report import Report

MARKER = (
    "limbtrace(core, primes, counts=[...], **options): run the core for each prime and count; "
    "the fixture limbtrace_report is the report of one run"
)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each prime and count of the marker."""
    if "limbtrace_report" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("limbtrace")
    if marker is None:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid}: limbtrace_report needs @pytest.mark.limbtrace(core=...)"
        )
    options = dict(marker.kwargs)
    try:
        core, primes = options.pop("core"), options.pop("primes")
    except KeyError as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: the marker limbtrace needs {error}") from None
    counts = [{"count": count} for count in options.pop("counts", [])] or [{}]
    runs = [
        pytest.param(
            {"core": core, "prime": prime, **count, **options}, id="-".join(map(str, (prime, *count.values())))
        )
        for prime in primes
        for count in counts
    ]
    metafunc.parametrize("limbtrace_report", runs, indirect=True)


@pytest.fixture
def limbtrace_sim() -> "Callable[..., Report]":
    """`limbtrace.sim`, which fails the test at a difference and otherwise returns the report."""
    return run


@pytest.fixture
def limbtrace_report(request: pytest.FixtureRequest) -> "Report":
    """The report of the run that the marker `limbtrace` asks for; a difference fails the test before it begins."""
    return simulated(**request.param)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """A difference is a failure of the test, where one of its fixture would be an error."""
    report = getattr(item, "funcargs", {}).get("limbtrace_report")
    if report is not None:
        check(report)


def run(core: Any, **options: Any) -> "Report":
    """The report of a run without a difference; any other fails the test."""
    report = simulated(core, **options)
    check(report)
    return report


def simulated(core: Any, **options: Any) -> "Report":
    """`limbtrace.sim`; a request that cannot be served fails the test with one sentence."""
    import limbtrace

    try:
        return limbtrace.sim(core, **options)
    except (limbtrace.ParameterError, limbtrace.ToolError) as error:
        sentence = f"limbtrace: {error}"
    pytest.fail(sentence, pytrace=False)


def check(report: "Report") -> None:
    """Fail at a difference, with the report for people."""
    if (found := report.tally.divergence) is not None:
        pytest.fail(report.text() + found.table(), pytrace=False)
