# SPDX-License-Identifier: Apache-2.0
"""Check that the product still answers as before: a list of requests, each with the SHA-256 of its answer.

python -m tools.answers                   compare; lists each request with a changed answer, exit 1
python -m tools.answers --write           renew the list
python -m tools.answers --only PATTERN    only requests in whose family or text the regular expression is found
python -m tools.answers --show N          print the answer to the request in line N of the list
python -m tools.answers --keep FOLDER     write every answer into the folder, for comparison with other checkouts
"""

import argparse
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import requests
from tools.asking import ROOT, Answer, Asker, BrokenRequestError

LIST = ROOT / "tests/answers/answers.txt"
HEAD = """\
# What limbtrace answers: SHA-256, status, family, request. `python -m tools.answers --write` makes this file anew;
# every line that changes is a change for users, and CHANGELOG.md says why. How requests read: tools/asking.py.
"""


@dataclass(frozen=True)
class Entry:
    """A line of the list."""

    digest: str
    status: str
    family: str
    request: str

    @property
    def line(self) -> str:
        return f"{self.digest}  {self.status:>3}  {self.family:<12}  {self.request}\n"


def read() -> list[Entry]:
    """The stored list."""
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [Entry(*re.split(r"  +", line, maxsplit=3)) for line in lines]


def asked() -> list[tuple[str, str]]:
    """(family, request) of everything that belongs in the list."""
    return [(family, request) for family, members in requests.families().items() for request in members]


def answer(asker: Asker, family: str, request: str) -> Answer:
    """The current answer of the product. Raises BrokenRequestError, naming the request."""
    try:
        return asker.ask(request, family in requests.OUTLINES)
    except BrokenRequestError as error:
        raise BrokenRequestError(f"{error}, in: {request}") from None


def differences(entries: Iterable[Entry]) -> Iterator[str]:
    """A sentence for each request of the list whose answer has changed."""
    with Asker() as asker:
        for entry in entries:
            found = answer(asker, entry.family, entry.request)
            if found.status != entry.status:
                yield f"answered {found.status} instead of {entry.status}: {entry.request}"
            elif found.digest != entry.digest:
                yield f"answered differently: {entry.request}"


def _chosen(pairs: Iterable[tuple[str, str]], pattern: str) -> list[tuple[str, str]]:
    return [(family, request) for family, request in pairs if re.search(pattern, f"{family}  {request}")]


def _write(pattern: str) -> None:
    kept = {(entry.family, entry.request): entry for entry in (read() if LIST.exists() else [])}
    anew = _chosen(asked(), pattern)
    found = dict(kept)
    with Asker() as asker:
        for pair in _shown(anew):
            given = answer(asker, *pair)
            found[pair] = Entry(given.digest, given.status, *pair)
    lines = [found[pair].line for pair in asked() if pair in found]
    changed = sum(kept.get(pair) != found[pair] for pair in anew)
    LIST.parent.mkdir(parents=True, exist_ok=True)
    LIST.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{LIST}: {len(lines)} requests, {changed} of them new or answered differently", file=sys.stderr)


def _shown(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Every request, with a line on standard error at the beginning of each family."""
    last, begin, count = "", time.monotonic(), 0
    for family, request in [*pairs, ("", "")]:
        if family != last:
            if last:
                print(f"{last}: {count} requests, {time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)
            last, begin, count = family, time.monotonic(), 0
        count += 1
        if family:
            yield family, request


def _compare(pattern: str) -> int:
    entries = {(entry.family, entry.request): entry for entry in read()}
    pairs = _chosen(entries, pattern)
    found = 0
    for sentence in differences(entries[pair] for pair in _shown(pairs)):
        print(sentence, flush=True)
        found += 1
    for pair in _chosen(set(asked()) ^ set(entries), pattern):
        print(f"{'no longer asked' if pair in entries else 'not in the list yet'}: {pair[1]}")
        found += 1
    print(f"{len(pairs)} requests, {found} differences", file=sys.stderr)
    return 1 if found else 0


def _keep(pattern: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with Asker() as asker:
        for number, pair in enumerate(asked(), 1):
            if pair in _chosen([pair], pattern):
                text = answer(asker, *pair).text
                (folder / f"{number:04}-{pair[0]}").write_text(f"{pair[1]}\n{text}", encoding="utf-8")


def _show(number: int) -> None:
    line = LIST.read_text(encoding="utf-8").splitlines()[number - 1]
    (entry,) = [entry for entry in read() if entry.line == f"{line}\n"]
    with Asker() as asker:
        found = answer(asker, entry.family, entry.request)
    print(f"{entry.request}\n{found.text}", end="")


def main() -> int:
    """Exit code: 0 no difference, 1 some."""
    parser = argparse.ArgumentParser(prog="python -m tools.answers", description=(__doc__ or "").split("\n")[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="make the list anew")
    what.add_argument("--show", type=int, metavar="N", help="print the answer to the request in line N of the list")
    what.add_argument("--keep", type=Path, metavar="FOLDER", help="write every answer into the folder")
    parser.add_argument("--only", default="", metavar="PATTERN", help="only requests in which it is found")
    arguments = parser.parse_args()
    if arguments.write:
        _write(arguments.only)
    elif arguments.show is not None:
        _show(arguments.show)
    elif arguments.keep is not None:
        _keep(arguments.only, arguments.keep)
    else:
        return _compare(arguments.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
