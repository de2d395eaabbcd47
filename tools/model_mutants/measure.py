# SPDX-License-Identifier: Apache-2.0
"""Mutants of a module by cosmic-ray, and which of them the tests notice.

Each is tried in a copy of this checkout, by the tests of the module's paper and those of all models that enter the
function that is changed. Changes of annotations alone are no mutants.
"""

import ast
import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from attrs import evolve
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkItem, WorkResult

from limbtrace.rtl_bridge.programs.process import DIE_WITH_PARENT
from limbtrace.vectors.progress import Progress
from tools.model_mutants.entered import OUTPUT, Entered

ROOT = Path(__file__).parents[2]
STATE = ROOT / "build" / "model-mutants"
SEED = 1
"""Of the sample."""
LIMIT = 300
"""Seconds of the tests of a mutant, after which it is killed: it may not end."""
_GENERAL = ("models", "exhaustive", "ring_laws", "columns", "ranges", "events", "unchanged")
GENERAL = tuple(f"tests/refmodels/test_{name}.py" for name in _GENERAL)
"""Tests of all models."""
_PYTEST = "-m pytest -q -x -p no:cacheprovider"


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
    digest: str
    """Of the text of the module."""
    survivors: tuple[Survivor, ...]

    @property
    def document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


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
    # A process that tries a mutant compiles nothing else.
    command = [sys.executable, "-m", "compileall", "-q", "limbtrace", "refmodels", "vectors", "rtl_bridge/programs"]
    subprocess.run(command, cwd=folder, check=True)


def environment(folder: Path) -> None:
    """Let tests that this process starts import from a copy, and load no plugin that they do not need."""
    os.environ |= {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def pytest_command(arguments: str) -> str:
    """Tests up to the first that fails, in a process that ends with this one."""
    return f"{sys.executable} {DIE_WITH_PARENT} {os.getpid()} {sys.executable} {_PYTEST} {arguments}"


def entered(folder: Path, tests: str, state: Path) -> Path:
    """Run tests without a mutant, and note in a file what they enter, unless it is there. Raises FailingTestsError.

    They compile what mutants leave as it is.
    """
    if not state.exists():
        state.parent.mkdir(parents=True, exist_ok=True)
        command = pytest_command(f"-p tools.model_mutants.entered {tests}").split()
        run = subprocess.run(
            command, cwd=folder, env={**os.environ, OUTPUT: str(state)}, capture_output=True, text=True, check=False
        )
        if run.returncode:
            raise FailingTestsError(
                f"without a mutant, this fails in {folder}: {tests}\n{(run.stdout + run.stderr)[-300:]}"
            )
    return state


def trial(folder: Path, module: Path, state: Path) -> Callable[[MutationSpec], str | None]:
    """A function from a mutant to the command that tries it; None if no test enters it. Raises FailingTestsError.

    `state` is the folder of what is entered.
    """
    shared = [path for path in (ROOT / "tests" / "refmodels").glob("*.py") if not path.name.startswith("test_")]
    named = {name: digest_of([ROOT / name, ROOT / "refmodels", *shared]) for name in noticing(module)}
    files = {name: state / f"{name.replace('/', '-')}-{digest}.json" for name, digest in named.items()}
    tests = Entered.read([entered(folder, name, file) for name, file in files.items()])
    source = (ROOT / module).read_text(encoding="utf-8")
    listed = state / "tests"

    def command(mutation: MutationSpec) -> str | None:
        line, column = mutation.start_pos
        chosen = tests.tests(module, line, column, source)
        listed.write_text("\n".join(chosen))
        return pytest_command(f"@{listed}") if chosen else None

    return command


def score(
    folder: Path, module: Path, trial: Callable[[MutationSpec], str | None], state: Path, sample: int, tests: str = ""
) -> ModuleScore:
    """Try a sample of the mutants of a module, a path below `folder`, with a command for each that is run there.

    `state` is a file with what was tried, which is used and continued; a mutant that survived is tried again unless it
    was by the same `tests`, a name for all that may notice it.
    """
    state.parent.mkdir(parents=True, exist_ok=True)
    with chdir(folder), use_db(str(state)) as database:
        if not database.num_work_items:
            init([module], database, {})
        drawn = _drawn(database, module.read_text(encoding="utf-8"), sample)
        done: dict[str, WorkResult] = dict(database.results)
        with Progress("mutants", len(drawn)) as progress:
            for item in drawn:
                known = done.get(item.job_id)
                if known is None or (known.test_outcome == TestOutcome.SURVIVED and known.output != tests):
                    done[item.job_id] = _tried(item, trial(item.mutations[0]), tests)
                    database.set_result(item.job_id, done[item.job_id])
                progress.advance()
        survivors = [item for item in drawn if done[item.job_id].test_outcome == TestOutcome.SURVIVED]
        return ModuleScore(
            str(module),
            database.num_work_items,
            len(drawn),
            digest_of([module]),
            tuple(Survivor(item.mutations[0].start_pos[0], _change(done[item.job_id])) for item in survivors),
        )


def _tried(item: WorkItem, command: str | None, tests: str) -> WorkResult:
    """A mutant that no test enters survives."""
    found = mutate_and_test(item.mutations, "true" if command is None else command, LIMIT)
    return evolve(found, output=tests) if found.test_outcome == TestOutcome.SURVIVED else found


def _drawn(database: WorkDB, source: str, sample: int) -> list[WorkItem]:
    """Mutants that depend on nothing but the module: those of a smaller sample, and more."""
    items = sorted(database.work_items, key=lambda item: _place(item).encode())
    random.Random(SEED).shuffle(items)
    drawn: list[WorkItem] = []
    plain = _without_annotations(source)
    for item in items:
        if len(drawn) == sample:
            break
        (mutation,) = item.mutations
        operator = get_operator(mutation.operator_name)(**mutation.operator_args)
        changed = mutate_code(source, operator, mutation.occurrence)
        if changed is not None and _without_annotations(changed) != plain:
            drawn.append(item)
    return drawn


def _without_annotations(source: str) -> str:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def _place(item: WorkItem) -> str:
    (mutation,) = item.mutations
    return f"{mutation.start_pos} {mutation.operator_name} {mutation.operator_args} {mutation.occurrence}"


def _change(result: WorkResult) -> str:
    lines = (result.diff or "").splitlines()
    return "\n".join(line for line in lines if line[:1] in "+-" and not line.startswith(("+++", "---")))


def state_of(module: Path) -> Path:
    """The file with what was tried of a module, until that changes."""
    return STATE / f"{'-'.join(module.with_suffix('').parts[2:])}-{digest_of([ROOT / module])}.sqlite"


def tests_of() -> str:
    """A name for all tests that may notice mutants, and the data that they read, which changes with them."""
    return digest_of([ROOT / "tests" / "refmodels", ROOT / "tests" / "data" / "models.json"])


def digest_of(paths: Sequence[Path]) -> str:
    """Of files and folders of Python, in hexadecimal."""
    content = hashlib.sha256()
    for file in sorted(file for path in paths for file in _files(path)):
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


def _files(path: Path) -> Iterator[Path]:
    yield from path.rglob("*.py") if path.is_dir() else [path]
