# SPDX-License-Identifier: Apache-2.0
"""One proof, or one for every odd modulus of a size: the core is read once, since its modulus is an input."""

import time
from dataclasses import dataclass, field, replace

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof.elaborate import elaborated
from limbtrace.rtl_bridge.proof.prover import Prover, Scenario
from limbtrace.rtl_bridge.proof.solver import Obligation
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.progress import Progress

MOST_BITS = 10
"""Of moduli of which every one is proved; there are 256 odd ones of 10 bits."""


@dataclass
class Proofs:
    """Proofs for one modulus after the other, up to the first failure."""

    runs: list[Run] = field(default_factory=list)
    """The run of each modulus."""
    scenarios: list[Scenario] = field(default_factory=list)
    """Products of one name and as many cycles are one."""
    obligations: int = 0
    remembered: int = 0
    failed: list[Obligation] = field(default_factory=list)
    """Those of the last modulus, in order."""
    late: bool = False

    def _add(self, run: Run, prover: Prover) -> None:
        self.runs.append(run)
        for new in prover.scenarios:
            old = next((each for each in self.scenarios if (each.name, each.cycles) == (new.name, new.cycles)), None)
            if old is None:
                self.scenarios.append(new)
            else:
                both = replace(old, same=old.same + new.same, solved=old.solved + new.solved)
                self.scenarios[self.scenarios.index(old)] = both
        solver = prover.solver
        self.obligations += solver.obligations
        self.remembered += solver.remembered
        self.failed = sorted(solver.failed, key=lambda obligation: obligation.number)
        self.late = solver.late

    @classmethod
    def of(
        cls, runs: list[Run], *, steps: bool, processes: int, seconds: int, limit: float | None, remembered: Remembered
    ) -> "Proofs":
        """Proves runs of one build; `seconds` limit a question, `limit` all of them. Raises ParameterError."""
        proofs = cls()
        ends = None if limit is None else time.monotonic() + limit
        design = elaborated(runs[0].shell)
        with Progress("moduli", len(runs)) as progress:
            for run in runs:
                left = None if ends is None else ends - time.monotonic()
                asked = Prover(
                    run, steps=steps, processes=processes, seconds=seconds, limit=left, remembered=remembered
                )
                asked.prove(design)
                proofs._add(run, asked)
                if proofs.failed:
                    break
                if len(runs) > 1:
                    progress.advance()
        return proofs


def every_odd(run: Run) -> list[Run]:
    """A run for every odd modulus of as many bits as that of this one.

    Raises ParameterError where there are too many, or one of them takes other hardware.
    """
    core, bits = run.bound.core.file.name, run.bound.multiplier.modulus.modulus.bit_length()
    if bits > MOST_BITS:
        raise ParameterError("all-odd", f"it takes moduli of at most {MOST_BITS} bits, and here it is one of {bits}")
    runs = []
    for modulus in range(1 << (bits - 1) | 1, 1 << bits, 2):
        try:
            other = settle(run.job.model_copy(update={"prime": str(modulus)}), like=run)
        except ParameterError as error:
            raise ParameterError("all-odd", f"{core} does not take modulus {modulus}: {error}") from None
        if other.shell.text != run.shell.text:
            raise ParameterError("all-odd", f"{core} is other hardware for modulus {modulus}")
        runs.append(other)
    return runs
