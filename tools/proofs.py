# SPDX-License-Identifier: Apache-2.0
"""`./run proofs`: proves cores for what their core.toml lists under `prove`, and keeps the documents beside them.

A point whose document is of the core as it is now is not proved again. docs/reference/proofs.md has a table of them.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import Core, built_in, find, load
from limbtrace.rtl_bridge.description.tables import ProofPoint
from limbtrace.rtl_bridge.proof.digest import is_current
from limbtrace.rtl_bridge.proof.stored_proofs import is_of, keep, kept_proofs, row_of
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.catalogue.proofs import HEAD, proof_cells, prove_words
from limbtrace.vectors.errors import ToolError
from tools.demo import say

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "proofs.md"
BEGIN, END = "<!-- kept proofs: ./run proofs writes them -->\n\n", "\n<!-- end of kept proofs -->\n"
PROVED, REFUTED, OPEN = 0, 1, 4
"""Exit codes of `limbtrace prove` that come with a document."""


def bound(place: str, point: ProofPoint) -> Shell:
    """A core, by name or folder, bound to a point. Raises ParameterError, ToolError."""
    asked = BindRequest(core=place, prime=point.prime, settings=point.settings)
    return Shell(asked.bind(asked.find()))


def renew(place: str, words: Sequence[str] = (), *, again: bool = False) -> list[int]:
    """Prove what is not current, with further words for `limbtrace prove`, and keep each document when it is there.

    Returns the exit codes. Raises ParameterError, ToolError.
    """
    core = find(place)
    codes = []
    for point in core.file.prove:
        asked = prove_words(place, point.prime, point.settings)
        shell = bound(place, point)
        old = next((row for row in kept_proofs(core) if is_of(row, point)), None)
        if old is not None and not again and is_current(shell, old["proof"]):
            say(f"{shlex.join(asked)}: kept, {_said(old['proof'])}")
            continue
        say(f"{shlex.join(asked)}: ...")
        code, proof = proved([*asked, *words])
        codes.append(code)
        others = [row for row in kept_proofs(core) if not is_of(row, point)]
        keep(core, listed(core, [*others, row_of(core, point, proof)]))
        say(f"{shlex.join(asked)}: {_said(proof)}")
    if (rows := kept_proofs(core)) != (meant := listed(core, rows)):
        keep(core, meant)
    return codes


def _said(proof: dict[str, Any]) -> str:
    return f"{proof['verdict']} in {proof['seconds']} s, {proof['obligations']:,} obligations"


def listed(core: Core, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of points that core.toml lists, in its order."""
    rows = list(rows)
    return [row for point in core.file.prove for row in rows if is_of(row, point)]


def proved(words: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """Exit code and document of `limbtrace prove ...`, in a process whose time and memory are those of one proof.

    Nothing that is remembered of other runs is used.

    Raises ToolError without a document.
    """
    command = [sys.executable, "-m", "limbtrace", *words, "--fresh", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (PROVED, REFUTED, OPEN):
        raise ToolError(f"no document: limbtrace {shlex.join(words)} ended with exit code {done.returncode}")
    return done.returncode, json.loads(done.stdout)


def page(text: str) -> str:
    """docs/reference/proofs.md with the table of what is kept in place of the one that it has."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "".join(_table()) + END + after


def _table() -> Iterable[str]:
    yield _line("core", *HEAD)
    yield _line(*["---"] * (1 + len(HEAD)))
    for folder in built_in():
        for row in kept_proofs(load(folder)):
            yield _line(f"`{row['core']}`", *proof_cells(row))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def main() -> int:
    """Renew the proofs of the cores that are named, of all without a name; returns the exit code."""
    parser = argparse.ArgumentParser(prog="./run proofs", description=__doc__)
    parser.add_argument("cores", metavar="CORE", nargs="*", help="default: all that list something to prove")
    parser.add_argument("--again", action="store_true", help="prove what is current, too")
    parser.add_argument("--limit", metavar="SECONDS", help="as of `limbtrace prove`: time for one question")
    parser.add_argument("--jobs", metavar="N", help="as of `limbtrace prove`: solvers at a time")
    parser.add_argument("--page", action="store_true", help="prove nothing, write the table from what is kept")
    asked = parser.parse_args()
    given = {"--limit": asked.limit, "--jobs": asked.jobs}
    words = [word for name, value in given.items() if value is not None for word in (name, value)]
    codes = [PROVED]
    try:
        for place in [] if asked.page else asked.cores or [folder.name for folder in built_in()]:
            codes += renew(place, words, again=asked.again)
    except ParameterError as error:
        say(f"proofs: {error}")
        return 2
    except (ToolError, OSError) as error:
        say(f"proofs: {error}")
        return 3
    except KeyboardInterrupt:
        say("proofs: interrupted; what was proved is kept, and the next run goes on from there")
        return 130
    finally:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return REFUTED if REFUTED in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
