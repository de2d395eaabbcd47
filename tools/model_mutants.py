# SPDX-License-Identifier: Apache-2.0
"""`./run mutants --models`: which changes of the code of models the tests do not notice.

./run mutants --models                       a sample of every module of refmodels/papers
./run mutants --models iddmm fpmm/cios       of those whose path has one of these texts
./run mutants --models --sample 100          more mutants of each module

cosmic-ray makes the mutants: operators, comparisons, numbers, conditions, loops. Each is tried in a copy of this
checkout, by the tests of the module's paper and then by those of all models. What was tried is kept in
build/model-mutants until the module or a test changes, so that it may be stopped and called again.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkItem, WorkResult

from limbtrace.rtl_bridge.programs.process import DIE_WITH_PARENT
from limbtrace.vectors.progress import Progress
from tools.demo import say

ROOT = Path(__file__).parents[1]
STATE = ROOT / "build" / "model-mutants"
SAMPLE = 20
"""Mutants of a module."""
LIMIT = 300
"""Seconds of the tests of a mutant, after which it is killed: it may not end."""
_GENERAL = ("models", "exhaustive", "ring_laws", "columns", "ranges")
GENERAL = tuple(f"tests/refmodels/test_{name}.py" for name in _GENERAL)
"""Tests of all models."""


class FailingTestsError(Exception):
    """Tests that fail without a mutant, so that nothing can be said of any."""


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test noticed."""

    line: int
    change: str
    """The lines that differ, as in a diff."""


@dataclass(frozen=True)
class ModuleScore:
    """How many of the mutants of a module that were tried the tests noticed."""

    module: str
    mutants: int
    tried: int
    survivors: tuple[Survivor, ...]

    @property
    def document(self) -> dict[str, Any]:
        """For `--json`."""
        survivors = [{"line": each.line, "change": each.change} for each in self.survivors]
        killed = self.tried - len(self.survivors)
        return {"module": self.module, "mutants": self.mutants, "tried": self.tried, "killed": killed} | {
            "survivors": survivors
        }


def modules(texts: Sequence[str]) -> list[Path]:
    """The modules of models whose paths have one of these texts; all without texts."""
    found = sorted((ROOT / "refmodels" / "papers").rglob("*.py"))
    paths = [path.relative_to(ROOT) for path in found if path.name != "__init__.py" or path.stat().st_size > 1000]
    return [path for path in paths if not texts or any(text in str(path) for text in texts)]


def noticing(module: Path) -> list[str]:
    """The tests of a module's paper, and those of all models."""
    return [f"tests/{'/'.join(module.parts[:3])}", *GENERAL]


def copied(folder: Path) -> None:
    """A copy of the files of this checkout that git knows, with their changes."""
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


def score(folder: Path, module: Path, command: str, state: Path, sample: int = SAMPLE) -> ModuleScore:
    """Try a sample of the mutants of a module, a path below `folder`, with a command that is run there.

    `state` is a file with what was tried, which is used and continued. Raises FailingTestsError.
    """
    state.parent.mkdir(parents=True, exist_ok=True)
    with chdir(folder), use_db(str(state)) as database:
        if not database.num_work_items:
            outcome, said = run_tests(command, LIMIT)
            if outcome != TestOutcome.SURVIVED:
                raise FailingTestsError(
                    f"without a mutant of {module}, this fails in {folder}: {command}\n{said[-300:]}"
                )
            init([module], database, {})
        drawn = _drawn(database, sample)
        done: dict[str, WorkResult] = dict(database.results)
        with Progress("mutants", len(drawn)) as progress:
            for item in drawn:
                if item.job_id not in done:
                    done[item.job_id] = mutate_and_test(item.mutations, command, LIMIT)
                    database.set_result(item.job_id, done[item.job_id])
                progress.advance()
        survivors = [item for item in drawn if done[item.job_id].test_outcome == TestOutcome.SURVIVED]
        return ModuleScore(
            str(module),
            database.num_work_items,
            len(drawn),
            tuple(Survivor(item.mutations[0].start_pos[0], _change(done[item.job_id])) for item in survivors),
        )


def _drawn(database: WorkDB, sample: int) -> list[WorkItem]:
    """Mutants that depend on nothing but the module: those of a smaller sample, and more."""
    items = sorted(database.work_items, key=lambda item: _place(item).encode())
    random.Random(1).shuffle(items)
    return items[:sample]


def _place(item: WorkItem) -> str:
    (mutation,) = item.mutations
    return f"{mutation.start_pos} {mutation.operator_name} {mutation.operator_args} {mutation.occurrence}"


def _change(result: WorkResult) -> str:
    lines = (result.diff or "").splitlines()
    return "\n".join(line for line in lines if line[:1] in "+-" and not line.startswith(("+++", "---")))


def _digest(module: Path) -> str:
    """Of a module and of what may notice its mutants, in hexadecimal."""
    content = hashlib.sha256((ROOT / module).read_bytes())
    for path in sorted(path for test in noticing(module) for path in _files(ROOT / test)):
        content.update(path.read_bytes())
    return content.hexdigest()[:16]


def _files(path: Path) -> Iterator[Path]:
    yield from path.rglob("*.py") if path.is_dir() else [path]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run mutants --models", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="modules whose paths have this text")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="mutants of each module (default: %(default)s)")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    chosen = modules(asked.texts)
    if asked.sample < 1:
        parser.error("--sample: at least 1")
    if not chosen:
        parser.error(f"no module of refmodels/papers has {' or '.join(asked.texts)}")
    copied(STATE / "copy")
    os.environ["PYTHONPATH"] = str(STATE / "copy")
    with_parent = f"{sys.executable} {DIE_WITH_PARENT} {os.getpid()}"
    scores = []
    for module in chosen:
        tests = " ".join(noticing(module))
        command = f"{with_parent} {sys.executable} -m pytest -q -x -n0 -p no:cacheprovider {tests}"
        state = STATE / f"{'-'.join(module.with_suffix('').parts[2:])}-{_digest(module)}.sqlite"
        try:
            scores.append(score(STATE / "copy", module, command, state, asked.sample))
        except FailingTestsError as error:
            say(str(error))
            return 3
        one = scores[-1]
        say(f"{module}: {one.tried - len(one.survivors)} of {one.tried} killed, of {one.mutants} mutants")
    print(json.dumps([each.document for each in scores]) if asked.json else _text(scores))
    return 0


def _text(scores: Sequence[ModuleScore]) -> str:
    lines = [f"{each.module}:{one.line}\n{one.change}" for each in scores for one in each.survivors]
    tried, left = sum(each.tried for each in scores), sum(len(each.survivors) for each in scores)
    return "\n".join([*lines, f"killed: {tried - left} of {tried}; modules: {len(scores)}"])


if __name__ == "__main__":
    sys.exit(main())
