# SPDX-License-Identifier: Apache-2.0
"""What tests cost: processor time, with that of the programs they start. Other work disturbs it less than a clock."""

import os
from collections import Counter
from collections.abc import Generator
from pathlib import PurePosixPath
from typing import Any

import pytest

_PROPERTY = "cpu"
_BEGAN = pytest.StashKey[float]()


def _now() -> float:
    """Seconds of this process and of the programs that have ended."""
    return sum(os.times()[:4])


def seconds(report: pytest.TestReport) -> float:
    """Seconds of a test, which the report of its teardown has; 0 in its other reports."""
    return float(str(dict(report.user_properties).get(_PROPERTY, 0)))


def folder(id: str) -> str:
    """What the summary names of a test: its folder, or its file where that is in no folder of `tests`."""
    return "/".join(PurePosixPath(id.partition("::")[0]).parts[:2])


@pytest.hookimpl(tryfirst=True, wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    item.stash[_BEGAN] = _now()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    if report.when == "teardown":
        report.user_properties.append((_PROPERTY, round(_now() - item.stash[_BEGAN], 2)))
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    costs: Counter[str] = Counter()
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        if isinstance(report, pytest.TestReport):
            costs[folder(report.nodeid)] += seconds(report)  # type: ignore[assignment]
    shown = ", ".join(f"{name} {value:.0f}" for name, value in costs.most_common() if value >= 1)
    terminalreporter.write_line(f"processor time: {costs.total():.0f} s" + (f" ({shown})" if shown else ""))
