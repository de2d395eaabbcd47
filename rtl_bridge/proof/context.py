# SPDX-License-Identifier: Apache-2.0
"""Context that all parts of a proof share: the core in its shell, the model's program on terms, the solver."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.program import Program, number_width, of_architecture, of_products
from limbtrace.refmodels.ranges import narrowed
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.bench import Cycle
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone, is_plain, pieces
from limbtrace.rtl_bridge.proof.proof_log import NO_LOG, ProofLog
from limbtrace.rtl_bridge.proof.signed_terms import integer_of, on_port
from limbtrace.rtl_bridge.proof.solver import Solver
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.proof import ProductName

_OF_SIGNED = ("var", "const", "slice", "concat", "sum", "wrap")
"""Operations that bits of a signed operand are made of."""


class SplitNeededError(Exception):
    """The handshake depends on data once a product has started. The proof begins anew, in a shell whose products in
    front have operands of their own, so that they take all ways there are."""


@dataclass(frozen=True)
class ProofContext:
    """A proof of a bound core in its shell, for all operands of its modulus."""

    shell: Shell
    steps: bool
    """True if signals are compared that follow the schedule; else results alone."""
    program: Program
    operands: Mapping[str, BitTerm]
    """A variable for each operand of each product of a stream: a0, b0, a1, ... Of a signed one it counts numbers.

    Of one that holds several numbers it is a variable for each of them, side by side, the low one in the low bits.
    """
    limits: Mapping[str, int]
    """The largest value of each."""
    solver: Solver
    log: ProofLog
    splits: bool = False
    """Whether products whose handshake depends on data are split into cases; see SplitNeededError."""

    @classmethod
    def of(cls, shell: Shell, solver: Solver, *, steps: bool, log: ProofLog = NO_LOG, splits: bool = False) -> Self:
        """The context of a proof. Raises ParameterError if the core or the model does not allow a proof."""
        program = narrowed(program_of(shell.bound))
        core = dict(zip("ab", shell.bound.numbers_of_all, strict=True))  # it may take less than its model
        limits = {name: min(limit, core[name[0]]) for name, limit in program.operands.items()}
        variables = {name: _variable(solver.pool, shell.bound, name, limit) for name, limit in limits.items()}
        log.program(program)
        return cls(shell, steps, program, variables, limits, solver, log, splits)

    @property
    def pool(self) -> TermPool:
        return self.solver.pool

    @property
    def bound(self) -> Bound:
        return self.shell.bound

    @property
    def integers(self) -> Mapping[str, BitTerm]:
        """The operands of the program, by the names of their variables."""
        signed = self.bound.signed
        return {
            name: integer_of(self.pool, signed[name[0]], variable) if name[0] in signed else variable
            for name, variable in self.operands.items()
        }

    def on_port(self, letter: str, variable: BitTerm) -> BitTerm:
        """An operand of one product as the shell takes it, from a variable of its range."""
        signed, width = self.bound.signed.get(letter), self.shell.product_width(letter)
        if self.bound.multiplier.model.packs(letter):
            return self._numbers_on_port(letter, pieces(variable), width)
        return self.pool.extend(variable, width) if signed is None else on_port(self.pool, signed, variable, width)

    def _numbers_on_port(self, letter: str, numbers: Sequence[BitTerm], width: int) -> BitTerm:
        """Several numbers, the high one first, as the digits of a port; or as one integer in the radix p."""
        if (split := self.shell.shown_digits(letter, numbers)) is not None:
            size, digits = split
            return self.pool.concat([self.pool.extend(digit, size) for digit in reversed(digits)])
        p = self.bound.multiplier.params.modulus
        weights = {number: p**place for place, number in enumerate(reversed(numbers))}
        return self.pool.sum({self.pool.extend(n, width): weight for n, weight in weights.items()}, 0, width)

    def fail(self, product: ProductName, signal: str, cycle: int | None, step: str) -> None:
        """Record an obligation that does not hold, unless there is one already."""
        if not self.solver.failed:
            no, yes = (self.pool.constant(1, bit) for bit in (0, 1))
            self.solver.equal(no, yes, product, signal, cycle, step)

    def undecided(self, product: ProductName, signal: str, cycle: int | None, step: str) -> None:
        """Record an obligation that is open, unless there is one that does not hold."""
        case, self.solver.case = self.solver.case, replace(self.solver.case, values=None)
        self.fail(product, signal, cycle, step)
        self.solver.case = case

    def check_handshake(self, shown: Cycle, product: ProductName, cycle: int | None) -> None:
        """The core breaks no rule of its protocol in this cycle."""
        self.solver.equal(shown.rule, self.pool.constant(8, 0), product, "handshake", cycle, "as the protocol says")
        self.log.claim("rule_o", 0, (7, 0), 0, 0)

    def is_of_operands(self, held: BitTerm) -> bool:
        """True if a register has what the operands alone make it, and nothing that was there before."""
        variables = {part for operand in self.operands.values() for part in pieces(operand)}
        return all(term in variables for term in cone([held]) if term.operation == "var")

    def is_loaded(self, held: BitTerm) -> bool:
        """True if a register has an operand behind another product, which is there where operands are loaded."""
        file = self.bound.core.file
        loaded = file.memory is not None or bool(file.protocol.loaded(file))
        return loaded and (is_plain(held) or self._is_signed_word(held)) and self.is_of_operands(held)

    def _is_signed_word(self, held: BitTerm) -> bool:
        """True if a term may be bits of a signed operand, which is a sum of its variable and a constant."""
        parts = list(cone([held])) if self.bound.signed else []
        variables = [term for term in parts if term.operation == "var"]
        return len(variables) == 1 and all(term.operation in _OF_SIGNED for term in parts)


def number_name(operand: str, number: str) -> str:
    """Name of the variable of one of the numbers that an operand holds."""
    return f"{operand}.{number}"


def _variable(pool: TermPool, bound: Bound, name: str, limit: int) -> BitTerm:
    """The variable of an operand, or those of its numbers side by side."""
    model = bound.multiplier.model
    if not model.packs(name[0]):
        return pool.variable(name, max(limit.bit_length(), 1), limit)
    params = bound.multiplier.params
    p, width = params.modulus, number_width(params)
    numbers = [
        pool.variable(number_name(name, number), width, min(p - 1, limit // p**place))
        for place, number in enumerate(model.numbers_of(name[0]))
    ]
    return pool.concat(reversed(numbers))


def program_of(bound: Bound) -> Program:
    """The model's loop on terms. Raises ParameterError if it has branches."""
    try:
        if bound.architecture is not None and bound.shape is not None:
            return of_architecture(bound.architecture, bound.shape)
        return of_products(bound.multiplier.model, bound.multiplier.params, len(bound.starts))
    except TypeError as error:
        name = bound.multiplier.model.id
        raise ParameterError(
            "core", f"its model {name} chooses digits of operands by branches, so there is no proof: {error}"
        ) from None
