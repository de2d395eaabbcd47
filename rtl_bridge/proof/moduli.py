# SPDX-License-Identifier: Apache-2.0
"""One proof, or one for every odd modulus of a size: the core is read once, since its modulus is an input."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.certificate import LoggedProof
from limbtrace.rtl_bridge.proof.context import SplitNeededError
from limbtrace.rtl_bridge.proof.elaborate import elaborated
from limbtrace.rtl_bridge.proof.free_fronts import FreeFronts
from limbtrace.rtl_bridge.proof.proof_log import WrittenLog
from limbtrace.rtl_bridge.proof.prover import ProofOptions, Prover, earlier
from limbtrace.rtl_bridge.proof.scenarios import Scenario, count
from limbtrace.rtl_bridge.proof.solver import Obligation
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.progress import Progress

LONG_STREAM, SHORT_STREAM, LONG_PRODUCT = 16, 4, 32
"""Products of a stream, and of one of a core that works on a product for more than so many cycles."""
MOST_BITS = 10
"""Of moduli of which every one is proved; there are 256 odd ones of 10 bits."""


@dataclass
class Proofs:
    """Proofs for one modulus after the other, up to the first failure."""

    shells: list[Shell] = field(default_factory=list)
    """The core in its shell, bound to each modulus."""
    scenarios: list[Scenario] = field(default_factory=list)
    """Products of one name and as many cycles are one."""
    obligations: int = 0
    remembered: int = 0
    failed: list[Obligation] = field(default_factory=list)
    """Those of the last modulus, in order."""
    depends: set[str] = field(default_factory=set)
    """Outputs of the handshake that depend on operands."""
    may_depend: set[str] = field(default_factory=set)
    """Those that may depend on operands, or on what was there before."""
    depends_from: int | None = None
    """The first cycle after the start of a product in which one of these does."""
    late: bool = False
    sampled_late: bool = False
    """True if all that fails is what takes operands that stay on their ports after the start."""
    read: tuple[Shell, SteppedDesign] | None = None
    """The last shell that was read, with its design."""
    logged: list[LoggedProof] = field(default_factory=list)
    """What a certificate takes, of each shell, if it is to be kept."""
    notes: tuple[str, ...] = ()
    """What of the core was not read as simulators read it."""

    def _add(self, shell: Shell, prover: Prover) -> None:
        self.shells.append(shell)
        for scenario in prover.scenarios:
            count(self.scenarios, scenario)
        solver = prover.solver
        self.obligations += solver.obligations
        self.remembered += solver.remembered
        self.failed = sorted(solver.failed, key=lambda obligation: obligation.number)
        self.late = solver.late

    @classmethod
    def of(cls, shells: list[Shell], options: ProofOptions, limit: float | None = None) -> "Proofs":
        """Prove a core in shells; `limit`: seconds in all. Raises ParameterError.

        Shells of one text are of one build: the core is read once. Where the description leaves open when the core
        looks at its operands for the last time, they change after the start; if that fails, they stay.
        """
        ends = None if limit is None else time.monotonic() + limit
        proofs = cls._of(shells, lambda shell: sampled_at_start(shell) or shell, options, ends)
        if not proofs.failed or proofs.late or sampled_at_start(shells[0]) is None:
            return proofs
        relaxed = cls._of(shells, lambda shell: shell, options, ends)
        return relaxed if relaxed.failed else replace(proofs, sampled_late=True)

    @classmethod
    def _of(
        cls, shells: list[Shell], reshelled: Callable[[Shell], Shell], options: ProofOptions, ends: float | None
    ) -> "Proofs":
        """One proof after the other, of each shell as another one, up to the first failure."""
        proofs = cls()
        design, text, fronts = None, "", None
        with Progress("moduli", len(shells)) as progress:
            for shell in shells:
                proved = reshelled(shell)
                if design is None or proved.text != text:
                    design, text, fronts = elaborated(proved), proved.text, None
                    proofs.notes = design.notes
                proofs.read = proved, design
                left = None if ends is None else ends - time.monotonic()
                asked = Prover(proved, options, left)
                try:
                    asked.prove(design)
                except SplitNeededError:
                    other = FreeFronts(proved.bound)
                    fronts = fronts or elaborated(other)
                    left = None if ends is None else ends - time.monotonic()
                    asked = Prover(other, options, left, splits=True)
                    asked.prove(fronts)
                proofs.depends |= asked.depends
                proofs.may_depend |= asked.may_depend
                proofs.depends_from = earlier(proofs.depends_from, asked.depends_from)
                if options.logged and not asked.solver.failed and fronts is not None:
                    name = shell.bound.core.file.name
                    raise ParameterError("certificates", f"there are none of {name}, whose control depends on data")
                if options.logged and not asked.solver.failed:  # of fewer products
                    log = WrittenLog()
                    logged = Prover(proved, options, None if ends is None else ends - time.monotonic(), log)
                    logged.prove(design)
                    proofs.logged.append(LoggedProof(proved, design, logged.program, logged.operands, log))
                    asked = logged if logged.solver.failed else asked
                proofs._add(shell, asked)
                if proofs.failed:
                    break
                if len(shells) > 1:
                    progress.advance()
        return proofs


def sampled_at_start(shell: Shell) -> Shell | None:
    """The core in a shell whose operands on ports change after the start; None unless its description leaves open when
    it looks at them for the last time."""
    bound, core = shell.bound, shell.bound.core
    protocol = bound.protocol.sampled_at_start
    if protocol is None or not core.file.ported or core.file.clock is None:
        return None
    file = core.file.model_copy(update={"protocol": protocol})
    return Shell(replace(bound, core=replace(core, file=file)))


def in_order(asked: BindRequest, shell: Shell) -> list[Shell]:
    """The core in a shell that gives it streams of products, if these are told apart by their order alone."""
    core, longest = shell.bound.core, shell.bound.longest
    most = asked.bind(core, like=shell.bound, single=False)
    if not most.in_order or most.products == 1:
        return []
    products = min(most.products, SHORT_STREAM if longest > LONG_PRODUCT else LONG_STREAM)
    return [Shell(asked.bind(core, products, most, single=False))]


def every_odd(asked: BindRequest, shell: Shell) -> list[Shell]:
    """The core bound to every odd modulus of as many bits as this one, which was asked for.

    Raises ParameterError if there are too many, or one of them takes other hardware.
    """
    bound = shell.bound
    core, bits = bound.core.file.name, bound.multiplier.modulus.modulus.bit_length()
    if bits > MOST_BITS:
        raise ParameterError("all-odd", f"it takes moduli of at most {MOST_BITS} bits, and here it is one of {bits}")
    shells = []
    for modulus in range(1 << (bits - 1) | 1, 1 << bits, 2):
        try:
            other = Shell(asked.model_copy(update={"prime": str(modulus)}).bind(bound.core, like=bound))
        except ParameterError as error:
            raise ParameterError("all-odd", f"{core} does not take modulus {modulus}: {error}") from None
        if other.text != shell.text:
            raise ParameterError("all-odd", f"{core} is other hardware for modulus {modulus}")
        shells.append(other)
    return shells
