# SPDX-License-Identifier: Apache-2.0
"""`./run mutants --models`: which changes of the code of models the tests do not notice.

./run mutants --models                       a sample of every module of refmodels/papers
./run mutants --models iddmm fpmm/cios       of those whose path has one of these texts
./run mutants --models --sample 100          more mutants of each module
./run mutants --models --page                measure nothing, write docs/reference/model-mutants.md from what is there

What was tried is kept in build/model-mutants until the module changes, so that it may be stopped and called again;
after a change of a test the survivors are tried again, and mutants that were killed are not. The figures are kept in
tools/model_mutants/measured.json; why a survivor is equivalent is said in equivalent.toml beside it.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.demo import say
from tools.model_mutants import page
from tools.model_mutants.measure import (
    STATE,
    FailingTestsError,
    ModuleScore,
    copied,
    environment,
    modules,
    score,
    state_of,
    tests_of,
    trial,
)

SAMPLE = 20
"""Mutants of a module."""


def measure(chosen: Sequence[Path], sample: int) -> list[ModuleScore]:
    """Try mutants of these modules, and keep how many were killed. Raises FailingTestsError."""
    folder = STATE / "copy"
    copied(folder)
    environment(folder)
    scores = []
    for module in chosen:
        one = score(folder, module, trial(folder, module, STATE), state_of(module), sample, tests_of())
        scores.append(one)
        page.write({**page.read(), one.module: one})
        say(f"{module}: {one.tried - len(one.survivors)} of {one.tried} killed, of {one.mutants} mutants")
    return scores


def main() -> int:
    """Measure, and write the page; returns the exit code."""
    parser = argparse.ArgumentParser(prog="./run mutants --models", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="modules whose paths have this text")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="mutants of each module (default: %(default)s)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--page", action="store_true", help="measure nothing, write the page from what is there")
    asked = parser.parse_args()
    chosen = modules(asked.texts)
    if asked.sample < 1:
        parser.error("--sample: at least 1")
    if not chosen:
        parser.error(f"no module of refmodels/papers has {' or '.join(asked.texts)}")
    try:
        scores = [] if asked.page else measure(chosen, asked.sample)
    except FailingTestsError as error:
        say(str(error))
        return 3
    page.OUTPUT.write_text(page.everything(), encoding="utf-8")
    if asked.json:
        print(json.dumps([each.document for each in scores]))
    elif scores:
        tried, left = sum(each.tried for each in scores), sum(len(each.survivors) for each in scores)
        print("\n".join([*page.lines(scores), f"killed: {tried - left} of {tried}; modules: {len(scores)}"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
