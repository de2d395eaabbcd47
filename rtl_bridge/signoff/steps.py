# SPDX-License-Identifier: Apache-2.0
"""The simulations of a sign-off: which there are for a bound core, and why others are left out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import gmpy2

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.contract import permitted, title
from limbtrace.rtl_bridge.run.default_count import default_count
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.signoff.items import DENIED, INAPPLICABLE, SignoffItem
from limbtrace.vectors.exhaustive import AllPairs
from limbtrace.vectors.request import DEFAULT_KIND, EVERY_KIND, EXHAUSTIVE

MOST_PAIRS = 1 << 16
"""Most pairs of operands of which all are simulated: those of moduli of up to 8 bits."""
MODULI = 3
"""Other moduli of as many bits."""
LEAST_BITS = 3
"""Fewest bits of other sizes."""
NETLIST_PRODUCTS = 256
"""Most products of a netlist, whose simulation takes longer than that of the RTL."""
RTL, NETLIST = "RTL", "netlist"


@dataclass(frozen=True)
class SignoffStep:
    """A simulation: an entry of the sign-off, and its matrix of one combination."""

    group: str
    name: str
    matrix: Mapping[str, Any]
    behaviours: tuple[str, ...] = ()
    """What the disturbance that it is about does."""

    @property
    def same_modulus(self) -> bool:
        """True if it is the RTL at the modulus that was asked for."""
        return self.group not in ("modulus", "size", NETLIST)

    def item(self, status: Any, reason: str = "", **more: Any) -> SignoffItem:
        """The entry with its outcome."""
        return SignoffItem(self.group, self.name, status, reason, **more)


@dataclass(frozen=True)
class StepList:
    """The simulations of a core in the installed simulators."""

    asked: BindRequest
    bound: Bound
    simulators: tuple[str, ...]
    budget: int | None
    """Products of each simulation; None for as many as about two seconds hold."""

    def __iter__(self) -> Iterator[SignoffStep | SignoffItem]:
        """Each simulation, or an entry that says why there is none."""
        for simulator in self.simulators:
            yield from self._operands(simulator)
            yield from self._modes(simulator)
            yield from self._disturbances(simulator)
        yield from self._moduli()
        yield from self._sizes()

    def step(self, group: str, name: str, simulator: str, mode: str, **more: Any) -> SignoffStep:
        """A simulation in that simulator and mode; `more` are other axes of its matrix."""
        asked, behaviours = self.asked, more.pop("behaviours", ())
        matrix = {
            "core": asked.core, "prime": asked.prime, "settings": dict(asked.settings), "build": dict(asked.build),
            "simulator": simulator, "mode": mode, "coverage": False, **more,
        }  # fmt: skip
        if matrix.get("kind") != EXHAUSTIVE:
            job = Job(**asked.model_dump(), simulator=simulator)
            matrix.setdefault("count", self.budget or default_count(job, self.bound))
        return SignoffStep(group, f"{name}, {mode} in {simulator}", matrix, behaviours)

    def _quick(self, simulator: str) -> str:
        """A mode for many products, which compares watched signals if there are any."""
        if simulator == "verilator" and self.bound.core.file.ghdl != "simulate":
            return "fast"
        return "lockstep" if self.bound.watches else "bulk"

    def _operands(self, simulator: str) -> Iterator[SignoffStep | SignoffItem]:
        for kind in EVERY_KIND:
            mode = self._quick(simulator)
            if kind == EXHAUSTIVE:
                bound = self.bound
                pairs = AllPairs(bound.multiplier.model, bound.multiplier.params, bound.numbers_of_all).count
                if pairs > MOST_PAIRS:
                    why = f"there are more than {MOST_PAIRS} pairs of operands"
                    yield SignoffItem("operands", f"{kind} in {simulator}", INAPPLICABLE, why)
                    continue
                mode = "bulk" if mode == "lockstep" else mode
            yield self.step("operands", kind, simulator, mode, kind=kind)

    def _modes(self, simulator: str) -> Iterator[SignoffStep]:
        for mode in MODES:
            if (simulator, mode) != ("icarus", "fast"):
                yield self.step("mode", DEFAULT_KIND, simulator, mode)
        if self.bound.watches:
            yield self.step("mode", "every cycle", simulator, "bulk", every_cycle=True)

    def _disturbances(self, simulator: str) -> Iterator[SignoffStep | SignoffItem]:
        applying = []
        for kind in KINDS:
            if behaviours := tuple(permitted(self.bound, kind)):
                applying.append(kind)
                yield self.step(
                    "disturbance", title(kind), simulator, MODES[0], disturb=[[kind]], behaviours=behaviours
                )
            else:
                why = "the description of the core does not say that it takes this"
                yield SignoffItem("disturbance", f"{title(kind)}, in {simulator}", DENIED, why)
        if len(applying) > 1:
            yield self.step("disturbance", "all of these at once", simulator, MODES[0], disturb=[applying])

    def _moduli(self) -> Iterator[SignoffStep | SignoffItem]:
        moduli = KINDS["modulus"].moduli(self.bound)
        for modulus in dict.fromkeys((*moduli[: MODULI - 1], *moduli[-1:])):
            yield self._other("modulus", modulus)
        if not moduli:
            why = "the core takes no other modulus of as many bits"
            yield SignoffItem("modulus", "other moduli of as many bits", DENIED, why)

    def _sizes(self) -> Iterator[SignoffStep]:
        bits = self.bound.multiplier.modulus.bits
        for other in dict.fromkeys(max(each, LEAST_BITS) for each in (bits // 2, bits - 1, bits + 1)):
            if other != bits:
                yield self._other("size", int(gmpy2.prev_prime(1 << other)))

    def _other(self, group: str, modulus: int) -> SignoffStep:
        simulator = self.simulators[0]
        name = f"{modulus:#x}, {modulus.bit_length()} bits"
        return self.step(group, name, simulator, self._quick(simulator), prime=f"{modulus:#x}")

    def netlist(self, folder: str) -> SignoffStep:
        """The simulation of a netlist in a folder."""
        simulator = "icarus" if "icarus" in self.simulators else self.simulators[0]
        settled = {name: str(value) for name, value in self.bound.settings.items()}
        more = {"core": folder, "build": {}, "settings": settled}
        job = Job(**self.asked.model_dump(), simulator=simulator)
        count = min(self.budget or default_count(job, self.bound) or NETLIST_PRODUCTS, NETLIST_PRODUCTS)
        return self.step(NETLIST, "gates of Yosys", simulator, "bulk", count=count, **more)
