# SPDX-License-Identifier: Apache-2.0
"""`./run test --part I/N`: one of N parts of the tests, which goes on where it was interrupted.

A part is a run of neighbours in the order of collection, which share what is built for them. `durations.txt` says where
parts begin and end, so that they take about the same time, and are the same on every machine.

A test that has passed is noted in build/parts under a digest of all files here; while they are the same it is not
repeated, and is counted as "passed before". Anything else is: what failed, was skipped, or did not come to its end.
"""

import hashlib
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import cpu

DURATIONS = Path(__file__).with_name("durations.txt")
"""Processor seconds of a test of a function, for functions that take long together; by `python -m tools.durations`."""
DEFAULT = 0.3
"""Seconds of any other test."""
MOST = 100
BEFORE = "passed before"
_CRASHED = "???"
"""The phase of a test whose worker has crashed, by pytest-xdist."""
_ENVIRONMENT = ("CC", "HYPOTHESIS_PROFILE")
"""Variables that decide what the passing of a test means."""


class Part(NamedTuple):
    """The part `number`, counted from 1, of `of` parts."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Part":
        """Raises ValueError."""
        found = re.fullmatch(r"([0-9]{1,3})/([0-9]{1,3})", text)
        part = cls(*map(int, found.groups())) if found else cls(0, 0)
        if not 1 <= part.number <= part.of <= MOST:
            raise ValueError(f"--part: {text!r} is not I/N with integers 1 <= I <= N <= {MOST}")
        return part

    def of_tests(self, ids: Sequence[str], durations: dict[str, float]) -> range:
        """Indices of the tests in this part."""
        seconds = [durations.get(function(id), DEFAULT) for id in ids]
        total, end = sum(seconds), 0.0
        counts = [0] * self.of
        for taken in seconds:
            counts[min(int(self.of * (end + taken / 2) / total), self.of - 1)] += 1
            end += taken
        first = sum(counts[: self.number - 1])
        return range(first, first + counts[self.number - 1])


def function(id: str) -> str:
    """The id of a test without its parameters."""
    return id.partition("[")[0]


def read_durations() -> dict[str, float]:
    """Seconds by function."""
    lines = (line.split(maxsplit=1) for line in DURATIONS.read_text().splitlines() if not line.startswith("#"))
    return {name: float(seconds) for seconds, name in lines}


def files(root: Path) -> list[tuple[str, int, int]]:
    """All files that are not ignored, with size and time of the last change."""
    ignored = [".git", *(line.rstrip("/") for line in (root / ".gitignore").read_text().splitlines())]

    def below(folder: str) -> Iterator[tuple[str, int, int]]:
        with os.scandir(folder) as entries:
            for entry in entries:
                if any(fnmatch(entry.name, pattern) for pattern in ignored):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield from below(entry.path)
                else:
                    status = entry.stat(follow_symlinks=False)
                    yield entry.path, status.st_size, status.st_mtime_ns

    return sorted(below(str(root)))


def digest(root: Path) -> str:
    """Digest of all files that are not ignored, of Python with its packages, and of the environment."""
    environment = (sys.version, *(os.environ.get(name) for name in _ENVIRONMENT))
    packages = sorted((found.metadata["Name"], found.version) for found in distributions())
    made = hashlib.sha256(repr((environment, packages)).encode())
    for path, _, _ in files(root):
        content = os.readlink(path).encode() if os.path.islink(path) else Path(path).read_bytes()
        made.update(repr((os.path.relpath(path, root), hashlib.sha256(content).digest())).encode())
    return made.hexdigest()[:16]


def seconds_of(path: Path) -> dict[str, float]:
    """What was noted, by id. A line that was not finished when a machine stopped is no line."""
    lines = re.findall(r"^(\d+\.\d\d) (.+)\n", path.read_text(), re.MULTILINE)
    return {id: float(seconds) for seconds, id in lines}


class Passed:
    """The tests that have passed with these files, in a file with a line for each: seconds and id."""

    def __init__(self, root: Path, part: Part) -> None:
        self._root, self._seen = root, files(root)
        self.path = root / "build" / "parts" / digest(root) / f"{part.number}-of-{part.of}.txt"

    def begin(self, again: bool) -> list[str]:
        """The ids of what has passed before; `again`: forgets them."""
        kept = {} if again or not self.path.exists() else seconds_of(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(f"{seconds:.2f} {id}\n" for id, seconds in kept.items()))
        return [*kept]

    def add(self, id: str, seconds: float) -> bool:
        """Notes that a test has passed; False if files have changed meanwhile, so that it is not known with which."""
        if files(self._root) != self._seen:
            return False
        with self.path.open("a") as stream:
            stream.write(f"{seconds:.2f} {id}\n")
        return True


class Worker:
    """Where tests run: takes those of the part, and leaves out what has passed before."""

    def __init__(self, part: Part, before: list[str]) -> None:
        self._part, self._before = part, frozenset(before)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """After everything else that selects tests."""
        chosen = self._part.of_tests([item.nodeid for item in items], read_durations())
        config.hook.pytest_deselected(items=[*items[: chosen.start], *items[chosen.stop :]])
        items[:] = items[chosen.start : chosen.stop]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.nodeid in self._before:
            item.user_properties.append((BEFORE, True))
            pytest.skip(BEFORE)


@dataclass
class _Running:
    """A test whose reports are arriving."""

    seconds: float = 0.0
    called: bool = False
    outcome: str = ""


class Controller:
    """Where the results of all tests arrive: notes what has passed, and counts.

    Tests that are generated may have one id in common. It is noted when as many have passed as there are.
    """

    def __init__(self, part: Part, passed: Passed, before: list[str]) -> None:
        self._part, self._passed, self._given = part, passed, before
        self._collected: Counter[str] | None = None
        self._running: dict[tuple[str, str], _Running] = {}
        self._passes: dict[str, list[float]] = defaultdict(list)
        self._outcomes: Counter[str] = Counter()
        self._changed = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Every worker, also one that replaces another, leaves out the same tests."""
        node.workerinput["before"] = self._given

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._collected = Counter(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:  # with workers there are none here
            self._collected = Counter(item.nodeid for item in session.items)

    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        """What has passed before is counted by itself."""
        return (BEFORE, "b", "BEFORE") if _is_before(report) and report.skipped else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has passed when its call has, its end too, and nothing of it has failed."""
        test = getattr(report, "worker_id", ""), report.nodeid
        running = self._running.setdefault(test, _Running())
        running.seconds += cpu.seconds(report)
        if report.failed:
            running.outcome = "failed"
        elif report.skipped:
            running.outcome = running.outcome or (BEFORE if _is_before(report) else "skipped")
        running.called |= report.when == "call"
        if report.when in ("teardown", _CRASHED):
            del self._running[test]
            self._end(report.nodeid, running)

    def _end(self, id: str, test: _Running) -> None:
        outcome = test.outcome or "passed" * test.called
        self._outcomes[outcome] += 1
        if outcome == "passed":
            self._passes[id].append(test.seconds)
            if self._collected is not None and len(self._passes[id]) == self._collected[id]:
                self._changed += not self._passed.add(id, sum(self._passes[id]) / self._collected[id])

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._collected is None:
            return
        counts, total = self._outcomes, self._collected.total()
        done = [f"{counts[BEFORE]} passed before", f"{counts['passed']} passed now"]
        done += [f"{counts[name]} {name}" for name in ("skipped", "failed") if counts[name]]
        left = total - counts.total()
        terminalreporter.write_line(
            f"part {self._part.number}/{self._part.of}: {total} tests: {', '.join(done)}, {left} not run"
        )
        if self._changed:
            terminalreporter.write_line(f"files have changed meanwhile: {self._changed} of them will be repeated")


def _is_before(report: Any) -> bool:
    return (BEFORE, True) in map(tuple, getattr(report, "user_properties", ()))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("parts", "the tests in parts")
    group.addoption("--part", nargs="?", const="", metavar="I/N", help="part I of N of the tests that are selected")
    group.addoption("--again", action="store_true", help="repeat also what has passed in this part before")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Refuses wrong options; `pytest` itself would write several lines."""
    text = config.getoption("part")
    try:
        if text is not None:
            Part.parse(text)
        elif config.getoption("again"):
            raise ValueError("--again: is only for --part")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return None


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("part") is None:
        return
    part, before = Part.parse(config.getoption("part")), []
    if hasattr(config, "workerinput"):
        before = config.workerinput["before"]
    elif not config.getoption("collectonly"):
        passed = Passed(config.rootpath, part)
        before = passed.begin(config.getoption("again"))
        config.pluginmanager.register(Controller(part, passed, before), "parts-controller")
    config.pluginmanager.register(Worker(part, before), "parts-worker")
