# SPDX-License-Identifier: Apache-2.0
"""Trial of a description: a few products are simulated, and if one differs, so are other descriptions."""

from __future__ import annotations

import io
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import gmpy2

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.description.writer import Draft, DraftLine
from limbtrace.rtl_bridge.flow.bare_run import SQUARED, bare_run
from limbtrace.rtl_bridge.flow.identify import Explained, identified
from limbtrace.rtl_bridge.flow.r_formulas import formulas
from limbtrace.rtl_bridge.init.alike import alike
from limbtrace.rtl_bridge.init.inference import Guess
from limbtrace.rtl_bridge.init.model_choice import bound_of
from limbtrace.rtl_bridge.init.trial_binding import Tried
from limbtrace.rtl_bridge.init.variants import BOUNDS, MOST_LATENCY, Variant
from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import WIDE
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.simulators import SIMULATORS, simulator
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.files import write_file
from limbtrace.vectors.report.document import RESULT

PRODUCTS = 16
MOST_BITS = 256
"""Bits of the largest modulus that is chosen for a trial."""
MOST_SECONDS = 60.0
"""Seconds after which no other description is tried any more."""
LEAST_BITS = 32
"""Bits of the least modulus that is chosen where the ports follow the modulus: a small one tells less."""


@dataclass(frozen=True)
class TrialOutcome:
    """The result of the trial of a description."""

    draft: Draft
    prime: str
    simulator: str = ""
    """The one that was used; empty if nothing could be simulated."""
    agrees: int = 0
    """Products that agree; 0 if the description was not confirmed."""
    tool_failed: bool = False
    """True if the description fits the RTL, and no simulator could build or run it."""
    returned: bool = False
    """True if the core returned a result that differs."""
    what: str = ""
    """How the description differs from the first guess."""
    said: str = ""
    """The first difference, or the reason why nothing was simulated."""
    also: tuple[str, ...] = ()
    """Other descriptions that were tried and did not agree."""
    not_tried: tuple[str, ...] = ()
    """Noun phrases about what the trial leaves open."""
    alike: tuple[str, ...] = ()
    """Models with steps, as options, that return the same: see `alike`."""
    same: tuple[str, ...] = ()
    """Other models, settings and ports that explain the same results."""
    relation: str = ""
    """The formula that explains the results of the core; empty if none does."""
    is_faulty: bool = False
    """True if the formula explains most results, and the description says it: another one does not agree either."""

    @property
    def merit(self) -> int:
        """How close a description that does not agree comes: it fits, is simulated, has results, they are explained."""
        return self.tool_failed + 2 * bool(self.simulator) + self.returned + bool(self.relation)


class _Explanation(NamedTuple):
    """A formula that explains the results of a core, and its modulus."""

    found: Explained
    bits: int
    """Bits of the modulus."""
    period: int
    """The exponents that differ by a multiple of it cannot be told apart; 0 if all can."""

    @property
    def exponent(self) -> int:
        """That of the power of 2 by which results are multiplied."""
        return self.found.exponent or 0

    @property
    def r(self) -> int:
        """Bits of R. Of several that cannot be told apart, the first that makes whole bytes and holds the modulus."""
        if not self.period:
            return -self.exponent
        candidates = range(-self.exponent % self.period, 8 * self.period + self.bits, self.period)
        return next((r for r in candidates if r >= self.bits and r % 8 == 0), -self.exponent)


class InitTrial:
    """Trials of descriptions of the core in a folder, whose core.toml they replace."""

    def __init__(self, folder: Path, prime: str, until: float) -> None:
        """`until` is the time of `time.monotonic` after which no other description is tried any more."""
        self._folder, self._prime, self._until = folder, prime, until
        self._simulators = [name for name in reversed(SIMULATORS) if _is_there(name)]

    def outcome(self, variants: Iterator[Variant]) -> TrialOutcome | None:
        """The first variant that agrees, or what is wrong with the one that comes closest; None without variants.

        The core.toml of the folder is the one of the outcome afterwards.
        """
        best: TrialOutcome | None = None
        has_numbers = False  # the best one returned a result, with a number on each port
        tried: list[str] = []
        left: tuple[str, ...] = ()
        for variant in variants:
            if not self._simulators:
                return TrialOutcome(variant.draft, self._prime, said="no simulator is installed")
            if tried and time.monotonic() > self._until:
                left = (f"further descriptions, after {MOST_SECONDS:g} s",)
                break
            if tried:
                print(f"limbtrace: it does not agree; trying: {variant.what}", file=sys.stderr, flush=True)
            found = self._tried(variant)
            if found.agrees:
                found = self._at_another_modulus(variant, self._with_signed_operands(variant, found))
                primes = [self._prime, *filter(None, [_shorter(variant.guess)])]
                same = self._same() if variant.guess.tried.numbers else ()
                return replace(found, also=(*tried, *found.also), alike=alike(self._folder, primes), same=same)
            tried.append(variant.what or variant.guess.roles.protocol.kind)
            described = replace(variant, draft=found.draft)
            found = replace(found, draft=described.unconfirmed(explained=bool(found.relation)))
            if found.is_faulty:
                best = found
                break
            is_less = has_numbers and not variant.guess.tried.numbers  # inputs that were tried as constants
            if best is None or (found.merit > best.merit and not is_less):
                best, has_numbers = found, bool(variant.guess.tried.numbers and found.returned)
        if best is None:
            return None
        self._write(best.draft)
        others = [what for what in tried if what != (best.what or tried[0])]
        return replace(best, also=tuple(others), not_tried=left)

    def _tried(self, variant: Variant) -> TrialOutcome:
        """The outcome of a variant, or of the variant with the formula that explains its results."""
        if variant.latency_open:
            return self._with_latency(variant)
        found = self._simulated(variant.draft, variant.what)
        if found.agrees or not found.simulator:
            return found
        relations = self._relations() if found.returned else []
        for relation in relations:
            for draft in _explained(variant, relation):
                again = self._simulated(draft, variant.what)
                if again.agrees:
                    return again
                if relation.found.is_partial and again.returned:
                    return replace(again, relation=relation.found.text, is_faulty=True)
                if not again.returned:
                    break
        return replace(found, relation=relations[0].found.text) if relations else found

    def _at_another_modulus(self, variant: Variant, found: TrialOutcome) -> TrialOutcome:
        """The outcome with formulas that hold for a shorter modulus, too: where N is 256, R may be 2^N or 2^(32*8)."""
        shorter = _shorter(variant.guess)
        if shorter is None:
            return found
        other = InitTrial(self._folder, shorter, self._until)._tried(replace(variant, draft=found.draft))
        if other.agrees and other.draft != found.draft:
            again = self._simulated(other.draft, found.what)
            if again.agrees:
                return again
        self._write(found.draft)
        if not other.simulator or (other.draft == found.draft and other.agrees):
            return found
        said = "they agree with another description alone" if other.agrees else other.said
        return replace(found, also=(f"products modulo {shorter}: {said}",))

    def _with_signed_operands(self, variant: Variant, found: TrialOutcome) -> TrialOutcome:
        """The outcome with operands in two's complement where their ports are signed, if such products agree, too."""
        operands = variant.guess.roles.operands
        ports = [] if any(operand.above for operand in operands) else [operand.port for operand in operands]
        if not ports or not all(port.signed for port in ports) or not found.draft.has("[operand]", "port"):
            return found
        draft = found.draft.without("settings", "below")
        for number, port in enumerate(ports):
            for line in _signed_lines(port, is_reducer=len(ports) == 1):
                draft = draft.with_line("[operand]", line, number)
        result = variant.guess.roles.result
        drafts = [draft]
        if result is not None and result.signed and not draft.has("result", "signed"):
            drafts.append(_with_signed_result(draft))
        for each in drafts:
            signed = self._simulated(each, found.what)
            if signed.agrees:
                return signed
        self._write(found.draft)
        return found

    def _simulated(self, draft: Draft, what: str) -> TrialOutcome:
        """The products with a description."""
        self._write(draft)
        outcome = TrialOutcome(draft, self._prime, what=what)
        for name in tuple(self._simulators):
            try:
                with _quiet():
                    report: Report = simulate(self._job(name), quiet=True)
            except ParameterError as error:
                return replace(outcome, said=str(error))
            except ToolError as error:
                outcome = replace(outcome, said=str(error).partition("\n")[0], tool_failed=True)
                self._simulators = [*(other for other in self._simulators if other != name), name]
                continue
            if report.passed:
                verified = int(report.document["verified"])
                outcome = replace(outcome, tool_failed=False)
                return replace(outcome, simulator=name, agrees=verified, not_tried=tuple(report.not_tried))
            first = report.differences[0]
            return replace(outcome, simulator=name, said=first.sentence(), returned=first.signal.startswith(RESULT))
        return outcome

    def _relations(self) -> list[_Explanation]:
        """Formulas that explain the results of the core as it is described."""
        for name in tuple(self._simulators):
            try:
                with _quiet():
                    drawn = {"keep_going": PRODUCTS, "kind": "random"}
                    run = bare_run(self._job(name).model_copy(update=drawn))
                    found = identified(run, quiet=True)[1]
                modulus = run.bound.multiplier.modulus
                period = modulus.bits if modulus.modulus == (1 << modulus.bits) - 1 else 0
                return [_Explanation(one, modulus.bits, period) for one in found]
            except ParameterError:
                return []
            except ToolError:
                continue
        return []

    def _same(self) -> tuple[str, ...]:
        """Formulas that explain the results of the core, besides the one that its description says."""
        return tuple(relation.found.text for relation in self._relations() if not relation.found.is_own)

    def _job(self, name: str) -> Job:
        return Job(core=str(self._folder.absolute()), prime=self._prime, simulator=name, count=PRODUCTS)

    def _with_latency(self, variant: Variant) -> TrialOutcome:
        """The least latency with which products agree.

        Operands that stay for many cycles, and those of a core with a start, give the right result whatever the latency
        is, so that the model is found first; then all latencies from the right one on agree.
        """
        patient = _at(variant, MOST_LATENCY)
        if not variant.draft.has("protocol", "start"):
            patient = patient.changed("", ("protocol", DraftLine("held", value=True, guess="operands stay")))
        found = self._tried(patient)
        if not found.agrees:
            return replace(found, draft=variant.draft, what=variant.what)
        low, high = 1, MOST_LATENCY
        while low < high:
            middle = (low + high) // 2
            agrees = self._simulated(_latency(found.draft, middle), "").agrees
            low, high = (low, middle) if agrees else (middle + 1, high)
        exact = _latency(found.draft.without("protocol", "held"), low)
        return self._simulated(exact, ", ".join(filter(None, (variant.what, f"a latency of {low}"))))

    def _write(self, draft: Draft) -> None:
        write_file(self._folder / "core.toml", [draft.text.encode()])


def _signed_lines(port: SketchPort, *, is_reducer: bool) -> Iterator[DraftLine]:
    """The range of an operand in two's complement: all that its port holds, for a reducer of fixed width."""
    yield DraftLine("signed", value=True, guess=f"{port.name} is signed, and products agree")
    if is_reducer and (bound := bound_of(port)) != SQUARED:
        yield DraftLine("above", f"-{bound} - 1", guess="what the port takes")
        yield DraftLine("below", bound, guess="what the port takes")
    else:
        yield DraftLine("below", "p", guess="or more, as far as the port goes")


def _with_signed_result(draft: Draft) -> Draft:
    """The draft with results in two's complement, which those of negative operands may be alone."""
    why = "products of negative operands agree"
    draft = draft.with_line("", DraftLine("compare", "congruent", guess=why))
    draft = draft.with_line("result", DraftLine("signed", value=True, guess=why))
    return draft.with_line("result", DraftLine("below", "p", guess=f"{why}; or 2 * p"))


def _at(variant: Variant, cycles: int) -> Variant:
    return replace(variant, draft=_latency(variant.draft, cycles))


def _latency(draft: Draft, cycles: int) -> Draft:
    return draft.with_line("protocol", DraftLine("latency", cycles, guess="the least one with which products agree"))


def _explained(variant: Variant, relation: _Explanation) -> Iterator[Draft]:
    """The description with what the results say; then with results below 2p, which random ones may not reach."""
    if not relation.found.keys:
        return
    draft, keys = variant.draft, relation.found.keys
    why = f"by the results of {PRODUCTS} products"
    values = tomllib.loads("".join(f"{key} = {text}\n" for key, text in keys.items() if key != "result"))
    result = tomllib.loads(f"result = {{ {keys.get('result', '')} }}")["result"]
    draft = draft.with_line("", DraftLine("model", values["model"], guess=f"{why}: {relation.found.text}"))
    settings = values.get("settings", {})
    if values["model"] in BOUNDS and variant.guess.model not in BOUNDS:  # operands below p are their own residues
        settings["below"] = bound_of(variant.guess.roles.operands[0].port)
    if settings.get("r") and relation.exponent:
        settings["r"] = _formula_of_r(variant, relation)
    draft = replace(draft, tables=tuple((name, lines) for name, lines in draft.tables if name != "settings"))
    for name, value in settings.items():
        draft = draft.with_line("settings", DraftLine(name, value, guess=why))
    if draft.has("result", "signed") and "signed" not in keys.get("result", ""):
        for table, key in (("result", "signed"), ("result", "below"), ("", "compare")):
            draft = draft.without(table, key)
    if "compare" in values:
        draft = draft.with_line("", DraftLine("compare", values["compare"], guess=why))
    for name, value in result.items():
        draft = draft.with_line("result", DraftLine(name, value, guess=why))
    for number, operand in enumerate(values.get("operand", ())):
        for name, value in operand.items():
            draft = draft.with_line("[operand]", DraftLine(name, value, guess=why * (name != "name")), number)
    yield draft
    if "compare" not in values and values["model"] == "montgomery":
        why = "products agree with results below this, and not with results below p"
        draft = draft.with_line("", DraftLine("compare", "congruent", guess="results are not always below p"))
        yield draft.with_line("result", DraftLine("below", "2 * p", guess=why))


def _formula_of_r(variant: Variant, relation: _Explanation) -> str | int:
    """Bits of R: a number where widths are fixed, else a formula, if possible of the words that the RTL counts."""
    if variant.guess.fixes_widths:
        return relation.r
    found = formulas(relation.r, relation.bits)
    counts = [str(line.value) for name, lines in variant.draft.tables if name == "build" for line in lines]
    words = {f"// {text.rpartition(' ')[2]} * " for text in counts if "//" in text}
    return next((formula for formula in found if any(word in formula for word in words)), found[0])


def trial_prime(guess: Guess, spare: int = 0) -> str | None:
    """A modulus for the trial of a guess for which none was asked for; None if it has no model.

    It is `spare` bits shorter than what the ports hold.
    """
    if not guess.tried.multipliers:
        return None
    if guess.modulus is not None:
        return written(guess.modulus)
    full = guess.roles.full_width_port
    held = full.width - spare if full else MOST_BITS
    bits = max(min(held, MOST_BITS), WIDE if guess.fixes_widths else LEAST_BITS)
    for prime in (_largest_prime(bits), guess.tried.multipliers[0].prime):
        try:
            Tried(guess.model, prime, guess.given)
        except ParameterError:
            continue
        return prime
    return None


def _shorter(guess: Guess) -> str | None:
    """A modulus one bit shorter than the one that is tried, not of whole bytes; None where no input is the modulus."""
    bits = guess.tried.modulus.bit_length() if guess.tried.modulus else 0
    if bits < WIDE or not guess.roles.modulus_shows or guess.fixes_modulus:
        return None
    return _largest_prime(bits - 1 if bits % 8 != 1 else bits - 2)


def _largest_prime(bits: int) -> str:
    """The largest prime of so many bits, as an option has it."""
    below = next(c for c in range(1, 1 << 16, 2) if gmpy2.is_prime((1 << bits) - c))
    return f"2^{bits}-{below}"


def written(modulus: int) -> str:
    """A modulus as an option has it."""
    return str(modulus) if modulus < 1 << 64 else hex(modulus)


def _is_there(name: str) -> bool:
    try:
        simulator(name)
    except ToolError:
        return False
    return True


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the lines that a simulation says about its progress."""
    with redirect_stderr(io.StringIO()):
        yield
