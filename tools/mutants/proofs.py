# SPDX-License-Identifier: Apache-2.0
"""Verdicts of `limbtrace prove` on each fault of the bank, at a small modulus; one file of `proved/` for each bank.

Every copy has one fault and not a choice of faults: a proof is of that copy alone.
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from limbtrace.vectors.errors import ToolError
from tools.mutants.bank import Bank, Mutant

FOLDER = Path(__file__).parent / "proved"
PROVED, REFUTED, OPEN, REFUSED = VERDICTS = ("proved", "refuted", "open", "refused")
"""All that holds; a simulation shows the fault; neither; no proof is made, as of a control that depends on data."""
LIMIT = 3
"""Seconds of a question."""
_REFUSED = "no proof is made of that"
"""Words in the error of `limbtrace prove` for a control that depends on data, and for a combinational loop."""
_LICENCE = "# SPDX-License-Identifier: Apache-2.0\n"


@dataclass(frozen=True)
class Found:
    """Verdict on a fault."""

    fault: str
    """Its id; empty for the core without a fault."""
    verdict: str
    """One of VERDICTS."""
    product: str = ""
    """The first obligation that does not hold: of which product, which signal, in which cycle, of which step."""
    signal: str = ""
    cycle: str = ""
    step: str = ""

    @property
    def obligation(self) -> str:
        """The obligation in words; empty where all hold."""
        if not self.signal:
            return self.step
        return f"{self.product}: {self.signal}{f' in cycle {self.cycle}' if self.cycle else ''}, {self.step}"


def proofs(bank: Bank, faults: Sequence[Mutant | None]) -> Iterator[Found]:
    """Verdicts on these faults of a bank; None is the core without one. Raises ToolError."""
    for fault in faults:
        with tempfile.TemporaryDirectory(prefix="limbtrace-mutants-") as folder:
            yield proof_of(bank, fault, Path(folder))


def proof_of(bank: Bank, fault: Mutant | None, target: Path) -> Found:
    """Verdict on a copy below `target` with that fault. Raises ToolError."""
    asked = bank.proof
    settings = [word for name, value in asked.settings.items() for word in ("--set", f"{name}={value}")]
    settings += [word for name, value in asked.build.items() for word in ("--build", f"{name}={value}")]
    words = [str(bank.only(fault, target)), "--prime", asked.prime, *settings, "--method", asked.method]
    command = [sys.executable, "-m", "limbtrace", "prove", *words, "--limit", str(LIMIT), "--fresh", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    name = "" if fault is None else fault.id
    if done.returncode == 2 and _REFUSED in done.stderr:
        return Found(name, REFUSED, step=done.stderr.strip().splitlines()[-1].removeprefix("limbtrace: "))
    if not done.stdout:
        raise ToolError(f"no proof of {bank.name} with {name or 'no fault'}: {done.stderr.strip()}")
    document = json.loads(done.stdout)
    if not document["failed"]:
        return Found(name, document["verdict"])
    first = document["failed"][0]
    cycle = "" if first["cycle"] is None else str(first["cycle"])
    return Found(name, document["verdict"], first["product"], first["signal"], cycle, first["step"])


def read(bank: str) -> list[Found]:
    """The verdicts of a bank; empty if none of its faults was tried."""
    path = FOLDER / f"{bank}.csv"
    if not path.exists():
        return []
    return [Found(**row) for row in csv.DictReader(io.StringIO(path.read_text().removeprefix(_LICENCE)))]


def write(bank: str, found: Sequence[Found]) -> None:
    """Replace what is there of a bank."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Found)])
    writer.writerows(astuple(one) for one in found)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{bank}.csv").write_text(_LICENCE + text.getvalue(), encoding="utf-8")
