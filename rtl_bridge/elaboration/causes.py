# SPDX-License-Identifier: Apache-2.0
"""Usual causes of errors that tools report in words of their own."""

import re
from collections.abc import Callable, Sequence

from limbtrace.rtl_bridge.description.tables import Flags
from limbtrace.rtl_bridge.description.writer import toml

_MISSING = re.compile(
    r"Unknown module type: (\w+)|Cannot find file containing module: '?(\w+)|unknown module '(\w+)'", re.IGNORECASE
)
_TWICE = re.compile(r"'(\w+)' has already been declared in this scope|Duplicate declaration of [\w /]+: '(\w+)'")
_NO_CAST = re.compile(r"error: This assignment requires an explicit cast|%Error-ENUMVALUE")
_STATIC = re.compile(
    r"^(\S+:\d+): warning: Static variable initialization requires(?:.|\n)*^\1: (?:syntax )?error|"
    r"cannot refer to automatic variable \S+ from static initializer",
    re.MULTILINE,
)
_ERROR = re.compile(r"^%Error(?:-(\w+))?: (?!Exiting due to)", re.MULTILINE)
_WARNING = re.compile(r"^%Warning-(\w+): ", re.MULTILINE)
_FATAL = re.compile(r"^%Error: Exiting due to .*\bwarning\(s\)", re.MULTILINE)
_WAIVED = frozenset({"ASSIGNIN", "BLKANDNBLK", "ENUMVALUE"})
"""Errors that Verilator passes if told to; others are no matter of flags, or crash it."""
_UNSIZED = re.compile(r"Too many digits for 32 bit number|error: .*has indefinite width")


def cause(said: str) -> str:
    """The usual cause of errors in the output of a tool, a part of a sentence; empty if none is known."""
    for pattern, words in _CAUSES:
        if found := pattern.findall(said):
            return words(list(dict.fromkeys("".join(groups) for groups in found)))
    return ""


def with_cause(sentence: str, said: str) -> str:
    """A sentence about the output of a tool, with the usual cause if there is one."""
    known = cause(said)
    return f"{sentence}; usual cause: {known}" if known else sentence


def passing_flags(said: str, flags: Flags) -> str:
    """The line of `core.toml` with which Verilator passes what it refused, a part of a sentence.

    `said` is its output, `flags` what the core has so far. Empty if it refused something else as well, or nothing.
    """
    errors = list(dict.fromkeys(_ERROR.findall(said)))
    warnings = list(dict.fromkeys(_WARNING.findall(said))) if _FATAL.search(said) else []
    if not (errors or warnings) or not _WAIVED.issuperset(errors):
        return ""
    more = (f"-Wno-{code}" for code in (*errors, *warnings))
    line = {"verilator": list(dict.fromkeys([*flags.verilator, *more]))}
    given = {**line, **({"icarus": list(flags.icarus)} if flags.icarus else {})}
    return f"core.toml lets it pass with flags = {toml(given)}"


def _missing(names: Sequence[str]) -> str:
    modules = f"the module {names[0]}" if len(names) == 1 else f"the modules {', '.join(names)}"
    return f"no source has {modules}; files names sources, libraries folders with a file for each module"


def _twice(names: Sequence[str]) -> str:
    return f"{', '.join(names)} declared twice in one scope, or in two sources; one declaration is too many"


def _words(text: str) -> Callable[[Sequence[str]], str]:
    return lambda names: text


_CAUSES: tuple[tuple[re.Pattern[str], Callable[[Sequence[str]], str]], ...] = (
    (_MISSING, _missing),
    (_TWICE, _twice),
    (_NO_CAST, _words("an enum takes values of its type alone; write TYPE'(value)")),
    (
        _STATIC,
        _words(
            "a variable that is declared with a value is static in a function, task or block, and has that value once; "
            "write `function automatic`, `automatic` in front of the variable, or assign the value in a statement"
        ),
    ),
    (_UNSIZED, _words("a number without a width has 32 bits; write the width in front, such as 64'd1")),
)
