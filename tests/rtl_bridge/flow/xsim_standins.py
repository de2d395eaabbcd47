# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for the programs of Vivado's simulator, made from Icarus Verilog: `python xsim_standins.py xvlog ...`.

They accept only options listed in the manual (UG900), and write their output to `xsim.dir` in the current folder, like
the real programs. They do not show that Vivado's simulator accepts the sources.
"""

import json
import subprocess
import sys
from pathlib import Path

# Options; 1 if a value follows.
OPTIONS = {
    "xvlog": {"-sv": 0, "-i": 1, "-d": 1, "-f": 1, "-work": 1, "-L": 1, "-log": 1, "-nolog": 0, "-relax": 0},
    "xelab": {"-s": 1, "-generic_top": 1, "-timescale": 1, "-debug": 1, "-L": 1, "-i": 1, "-log": 1, "-R": 0},
    "xsim": {"-R": 0, "-tclbatch": 1, "-testplusarg": 1, "-onfinish": 1, "-onerror": 1, "-log": 1, "-nolog": 0},
}
STORE = Path("xsim.dir")


def parse(program: str, words: list[str]) -> dict[str, list[str]]:
    """Values of every option; other arguments have the empty name."""
    given: dict[str, list[str]] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            given.setdefault("", []).append(word)
        elif word not in OPTIONS[program]:
            sys.exit(f"{program}: there is no option {word}")
        else:
            given.setdefault(word, []).append(next(rest) if OPTIONS[program][word] else "")
    return given


def xvlog(given: dict[str, list[str]]) -> int:
    """Records sources and folders for the elaboration."""
    missing = [name for name in given[""] if not Path(name).is_file()]
    if missing or "-sv" not in given:
        sys.exit(f"xvlog: {missing or 'SystemVerilog without -sv'}")
    folders = [f"-I{folder}" for folder in given["-i"]]
    macros = [f"-D{macro}" for macro in given.get("-d", [])]
    STORE.mkdir()
    (STORE / "work.json").write_text(json.dumps([*folders, *macros, *given[""]]))
    return 0


def xelab(given: dict[str, list[str]]) -> int:
    """Compiles a snapshot."""
    (top,) = given[""]
    (snapshot,) = given["-s"]
    overrides = [f"-P{top}.{value}" for value in given.get("-generic_top", [])]
    sources = json.loads((STORE / "work.json").read_text())
    return subprocess.run(["iverilog", "-g2012", "-s", top, "-o", STORE / snapshot, *overrides, *sources]).returncode


def xsim(given: dict[str, list[str]]) -> int:
    """Runs a snapshot; the script must run it to its end and quit."""
    (snapshot,) = given[""]
    (script,) = given["-tclbatch"]
    commands = [line for line in Path(script).read_text().splitlines() if not line.startswith("#")]
    if commands != ["run all", "quit"]:
        sys.exit(f"xsim: {commands}")
    return subprocess.run(["vvp", "-n", STORE / snapshot, *(f"+{value}" for value in given["-testplusarg"])]).returncode


if __name__ == "__main__":
    name = sys.argv[1]
    sys.exit({"xvlog": xvlog, "xelab": xelab, "xsim": xsim}[name](parse(name, sys.argv[2:])))
