# SPDX-License-Identifier: Apache-2.0
"""Parts of the bridge that a protocol may use, as structural types.

Protocols come below the bridge in the order of imports, and other packages provide some. The methods of
`protocols.base.Protocol` are therefore given objects of which these types list all that a protocol may rely on; a test
of a protocol may pass simple objects with the same members.
"""

from collections.abc import Sequence
from typing import Protocol

from limbtrace.rtl_bridge.description.tables import Clock, Memory, Operand, Result, Row
from limbtrace.rtl_bridge.interface.module_ports import ConstantPort, OperandPort, SketchPort
from limbtrace.rtl_bridge.interface.pins import Pins
from limbtrace.rtl_bridge.protocols.connection import Connection


class DescriptionView(Protocol):
    """The tables of a `core.toml` beside [protocol]."""

    @property
    def clock(self) -> Clock | None:
        """None for a core without registers."""

    @property
    def memory(self) -> Memory | None: ...
    @property
    def operand(self) -> tuple[Operand, ...]: ...
    @property
    def result(self) -> Result: ...
    @property
    def row(self) -> tuple[Row, ...]: ...
    @property
    def ported(self) -> list[Operand]:
        """Operands that are on a port as a whole, or word by word."""


class CoreView(Protocol):
    """A core and its description."""

    @property
    def file(self) -> DescriptionView: ...


class PlanView(Protocol):
    """The cycles of a stream of products, as the schedule has them."""

    @property
    def cycles(self) -> int: ...


class BoundView(Protocol):
    """A core bound to one modulus. Texts are formulas of the description; `key` names them in errors."""

    @property
    def core(self) -> CoreView: ...
    @property
    def ports(self) -> Pins:
        """Every port of the elaborated design, by the name in the description."""

    @property
    def plan(self) -> PlanView | None:
        """None without a schedule."""

    @property
    def starts(self) -> tuple[int, ...]:
        """Row in which each product of a stream starts."""

    @property
    def in_order(self) -> bool:
        """True if the products of a stream are told apart by their order alone."""

    @property
    def products(self) -> int:
        """Most products in the core at the same time."""

    @property
    def groups(self) -> int:
        """Starts that the products of a stream take."""

    @property
    def operand_words(self) -> int: ...
    @property
    def result_words(self) -> int: ...
    @property
    def named_result_words(self) -> int:
        """`result.words`."""

    def value(self, key: str, text: str | int) -> int:
        """A formula or a constant of the model."""

    def formula(self, key: str, text: str | int) -> int:
        """A formula over the parameters."""

    def span(self, key: str, text: str | int) -> int:
        """A formula of cycles or products, over the parameters of model and RTL, not negative."""

    def depth(self, key: str, text: str | int) -> int:
        """A formula over the RTL parameters that counts words, at least 1."""


class LayoutView(Protocol):
    """Widths in the shell, in bits."""

    @property
    def bound(self) -> BoundView: ...
    @property
    def image_width(self) -> int:
        """Of an operand in the memory of the core."""

    def width(self, port: str) -> int: ...


class ShellView(LayoutView, Protocol):
    """The shell that is generated around a core. Texts are expressions in SystemVerilog."""

    @property
    def result_net(self) -> str:
        """The net that the result of a product has to be assigned to."""

    @property
    def result_width(self) -> int: ...
    def operand_width(self, name: str) -> int:
        """Width of operand a or b of one product."""

    def net(self, name: str) -> str:
        """The net of an output or an internal signal of the core."""

    def or_noise(self, group: str, value: str, port: str) -> str:
        """`value` for an input port, or noise in cycles in which the core must not sample `group`."""

    def storage(self) -> Connection:
        """Operands on ports or in a memory, and the result on its port or behind a read port."""

    def whole_result(self) -> str:
        """The result on its port, or the word of it; digits are added up."""


class MemoryView(Protocol):
    """The write port of a memory for operands."""

    @property
    def data(self) -> SketchPort | None:
        """None without such a memory."""


class TrialView(Protocol):
    """Names of the model's constants, from a multiplier that it was resolved for."""

    @property
    def unary(self) -> bool:
        """True if the model has one operand."""

    @property
    def count(self) -> str | None:
        """Name of the number of digits."""

    @property
    def inverse(self) -> str | None:
        """The constant that is the inverse of the modulus, or of its lowest digit."""


class RolesView(Protocol):
    """Ports of a core without a description, and the purpose that each was found to have."""

    @property
    def clock(self) -> SketchPort | None: ...
    @property
    def memory(self) -> MemoryView: ...
    @property
    def constants(self) -> Sequence[ConstantPort]: ...
    @property
    def operands(self) -> Sequence[OperandPort]: ...
    @property
    def digit_port(self) -> SketchPort | None:
        """A port of one digit."""

    @property
    def tried(self) -> TrialView: ...
