# SPDX-License-Identifier: Apache-2.0
"""The text of a generated `core.toml`: every line says whether it is known, guessed or open."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from limbtrace.rtl_bridge.interface.module_ports import SketchPort

FILL_IN = "FILL IN"
"""Value of a line that `limbtrace init` could not guess; no key takes it."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")

Value = str | int | bool | Sequence["Value"] | Mapping[str, "Value"]

HEAD = f"""\
# Written by `limbtrace init` from the RTL; all keys: docs/reference/core-toml.md. Look at each line marked "guess".
# Lines with "{FILL_IN}" could not be guessed, and `limbtrace sim` names the first of them.
"""


@dataclass(frozen=True)
class DraftLine:
    """One key. `guess` says why a value was guessed, `open` what an open one should be; both empty: it is known."""

    key: str
    value: Value
    guess: str = ""
    open: str = ""
    note: str = ""
    """Further information, such as the comment in the RTL."""

    @property
    def text(self) -> str:
        """The line as TOML with its comment."""
        said = [f"{FILL_IN}: {self.open}"] * bool(self.open) + [f"guess: {self.guess}"] * bool(self.guess)
        comment = "; ".join([*said, *([self.note] if self.note else [])])
        key = self.key if _BARE.fullmatch(self.key) else toml(self.key)
        if isinstance(self.value, list) and self.value and isinstance(self.value[0], dict):  # a table of tables
            rows = "".join(f"  {toml(entry)},\n" for entry in self.value)
            return f"{key} = [  # {comment}\n{rows}]"
        return f"{key} = {toml(self.value)}" + (f"  # {comment}" if comment else "")


def port_line(key: str, port: SketchPort | None, what: str, guess: str = "") -> DraftLine:
    """The line that names a port; for an unknown port, a line to fill in that describes it by `what`."""
    if port is None:
        return DraftLine(key, FILL_IN, open=f"the port that is {what}")
    return DraftLine(key, port.name, guess=guess, note=port.comment)


@dataclass(frozen=True)
class Draft:
    """A description by tables: ("", lines) for the first keys, ("clock", lines), ("[operand]", lines) ..."""

    tables: tuple[tuple[str, tuple[DraftLine, ...]], ...]
    remarks: tuple[str, ...] = field(default=())
    """Comments at the end."""

    def with_line(self, table: str, line: DraftLine, number: int = 0) -> "Draft":
        """The draft with a line in a table, in place of the one with its key; at its end if there is none.

        `number` is that of the table among those of its name. A table that is missing comes behind the first keys.
        """
        places = [at for at, (name, _) in enumerate(self.tables) if name == table]
        tables = list(self.tables)
        if not places:
            tables.insert(1, (table, (line,)))
            return replace(self, tables=tuple(tables))
        at = places[number]
        lines = tables[at][1]
        kept = [line if old.key == line.key else old for old in lines]
        tables[at] = (table, tuple(kept if any(old.key == line.key for old in lines) else [*lines, line]))
        return replace(self, tables=tuple(tables))

    def with_table(self, table: str, *lines: DraftLine) -> "Draft":
        """The draft with one more table, behind the last one of its name, or else behind the first keys."""
        at = max((at for at, (name, _) in enumerate(self.tables) if name == table), default=0) + 1
        return replace(self, tables=(*self.tables[:at], (table, lines), *self.tables[at:]))

    def has(self, table: str, key: str) -> bool:
        """True if a table has a line with that key."""
        return any(name == table and line.key == key for name, lines in self.tables for line in lines)

    def without(self, table: str, key: str) -> "Draft":
        """The draft without a line."""
        kept = [(n, tuple(x for x in lines if n != table or x.key != key)) for n, lines in self.tables]
        return replace(self, tables=tuple((name, lines) for name, lines in kept if lines))

    @property
    def text(self) -> str:
        """The file. Tables about which there is nothing to say stand on one line each, behind the first keys."""
        known = [(name, lines) for name, lines in self.tables if _is_known(name, lines)]
        parts = [HEAD]
        for name, lines in self._long:
            texts = [*([f"[{name}]"] if name else []), *(line.text for line in lines)]
            if not name:
                texts += [f"{key} = {toml({line.key: line.value for line in table})}" for key, table in known]
            parts.append("".join(f"{text}\n" for text in texts))
        parts += ["".join(f"# {remark}\n" for remark in self.remarks)] if self.remarks else []
        return "\n".join(parts)

    def numbered(self) -> Iterator[tuple[int, str, DraftLine]]:
        """(number of its line in the text, table, line) of every line that is one, those with a comment among them."""
        number = HEAD.count("\n") + 2
        for name, lines in self._long:
            number += bool(name)
            for line in lines:
                yield number, name, line
                number += line.text.count("\n") + 1
            if not name:
                number += len(self.tables) - len(self._long)
            number += 1

    @property
    def _long(self) -> list[tuple[str, tuple[DraftLine, ...]]]:
        """The tables that do not stand on one line."""
        return [(name, lines) for name, lines in self.tables if not _is_known(name, lines)]

    @property
    def lines(self) -> Iterable[DraftLine]:
        """Every line."""
        return (line for _, lines in self.tables for line in lines)

    @property
    def guesses(self) -> int:
        """Number of lines that were guessed."""
        return sum(bool(line.guess) for line in self.lines)

    @property
    def open(self) -> list[str]:
        """Keys of the lines that are to be filled in, with their tables."""
        return [
            ".".join(filter(None, (name.strip("[]"), line.key)))
            for name, lines in self.tables
            for line in lines
            if line.open
        ]


def _is_known(name: str, lines: Sequence[DraftLine]) -> bool:
    """True if a table that occurs once has no comment on any of its lines."""
    return bool(name) and not name.startswith("[") and not any(x.guess or x.open or x.note for x in lines)


def toml(value: Value) -> str:
    """A value of a key."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(entry)}" for key, entry in value.items()) + " }"
    entries = [toml(entry) for entry in value]
    return f"[{', '.join(entries)}]"
