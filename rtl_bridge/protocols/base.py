# SPDX-License-Identifier: Apache-2.0
"""The base class of protocols: everything that the bridge knows about a protocol is in one class in one file."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

from limbtrace.rtl_bridge.description.table import Formula, Table
from limbtrace.rtl_bridge.description.tables import LoadedValue, Result
from limbtrace.rtl_bridge.interface.port_pool import Ports
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.protocols.connection import Connection
from limbtrace.rtl_bridge.protocols.fields import Field
from limbtrace.rtl_bridge.protocols.recognition import Recognition
from limbtrace.rtl_bridge.protocols.view import BoundView, DescriptionView, LayoutView, ShellView

WATCHED = "output or signal"
"""In place of a direction: the signal may be an output or an internal signal."""


class Wire(NamedTuple):
    """A port of the core named in `core.toml`: the key, the port, its direction or WATCHED."""

    key: str
    port: str
    direction: str


def fits(bound: BoundView, key: str, port: str, bits: int, what: str, words: int = 1) -> Iterator[str]:
    """A sentence if that number of words on the port does not hold the bits; otherwise nothing."""
    width = bound.ports[port].width
    if width * words < bits:
        times = f" in each of {words} words" if words > 1 else ""
        yield f"{key} is {port}, which has {width} bits{times} and should have {bits} for {what}"


class Protocol(Table, ABC):
    """The handshakes of operands and results: the table [protocol] of a `core.toml`.

    A subclass declares `kind` as a Literal and its keys as pydantic fields, and overrides the members below. The
    defaults suit a core that takes one product at a time, with operands on separate ports or in a memory, and with the
    result on a port or behind a read port. `rtl_bridge.protocols.register` registers the class. SystemVerilog modules
    that its text needs are in `rtl_bridge/sv`, or are named in `modules`.
    """

    kind: str

    timed: ClassVar[bool] = False
    """True if each product of a stream can be started in a given cycle; otherwise all products start at once."""
    stalls: ClassVar[bool] = False
    """True if either side may stall at any time, so that every run has random stalls."""
    modules: ClassVar[tuple[Path, ...]] = ()
    """SystemVerilog files that are appended to the shell, for a protocol from another package."""
    late: ClassVar[bool] = False
    """True if rows are sampled one clock later, because the first cycle of a stream is known only afterwards."""
    paused: ClassVar[bool] = False
    """True if disturbed runs pause the channels of a bus."""
    always: ClassVar[frozenset[str]] = frozenset()
    """Actions of a bus master, by name, that undisturbed runs take as well."""
    guard_bits: ClassVar[int] = 0
    """Number of bits above the results of a stream, which are 0 unless the core returned surplus data."""

    @property
    def stay(self) -> bool:
        """True if operands are there as long as a product takes."""
        return False

    @property
    def keeps(self) -> bool:
        """True if a result waits until it is taken."""
        return self.stalls

    @property
    def pulses(self) -> bool:
        """True if an offer is a pulse, which a busy core ignores, instead of being held until it is accepted."""
        return False

    @property
    def early(self) -> bool:
        """True if an offer may be made before the last result is taken."""
        return False

    @property
    def again(self) -> bool:
        """True if the next product may start in the cycle after the one in which the core is done; see `at_once`."""
        return False

    @property
    def at_once(self) -> bool:
        """True if the core shows that it takes a product in the cycle in which it is done, with `again`."""
        return self.again

    @property
    def tries_at_once(self) -> bool:
        """True if disturbed runs start the next product in the cycle in which the core is done, which nothing shows."""
        return False

    @property
    def sampled_at_start(self) -> Self | None:
        """This handshake with operands on ports that change after the start; None unless the description leaves open
        when the core looks at them for the last time."""
        return None

    @property
    def refuses(self) -> bool:
        """True if the core has to ignore, or to keep waiting, a start while it works."""
        return self.pulses or self.early

    @property
    def ignores(self) -> bool | None:
        """False if a start while the core works may have any effect, so that none comes; None if nothing says so."""
        return True

    def permits(self, bound: BoundView) -> dict[str, bool]:
        """The actions of a bus master that disturbed runs take, by name, each with True if the core permits it."""
        return {}

    def left_open(self, bound: BoundView) -> list[str]:
        """Things that no run tries because the description does not say what they do, each with the key that would."""
        return []

    @property
    def ahead(self) -> bool:
        """True if the core may be given the next product while it works on one, with `early` and `again`."""
        return False

    # Names for reports and documents.

    @property
    @abstractmethod
    def finished(self) -> str:
        """The port or register that shows that the core is done."""

    @property
    @abstractmethod
    def taken(self) -> tuple[str, int]:
        """The port or condition that allows a start, and its value then."""

    @property
    @abstractmethod
    def ports(self) -> list[str]:
        """The ports of the handshake, for a waveform."""

    @abstractmethod
    def meanings(self, ports: Mapping[str, DesignPort]) -> dict[str, str]:
        """The purpose of each port of the protocol, in a few words; `ports` are those of the elaborated design."""

    def registers(self, bound: BoundView) -> list[tuple[int, int, str]]:
        """(byte address, words, purpose) of every register behind a bus."""
        return []

    # Recognition, for a generated description.

    @classmethod
    def recognised(cls, ports: Ports) -> Recognition | None:
        """The draft of `limbtrace init` for a core with these ports; None if they do not show the protocol.

        The ports that the lines name are taken from `ports`, and none otherwise. Ports of a memory are set aside.
        `limbtrace.rtl_bridge.protocols.recognised` says which protocol is asked first.
        """
        return None

    # Checks of a description.

    @property
    def products_formula(self) -> Formula | None:
        """Formula of the most products of a stream, which are in the core at the same time; None for one at a time."""
        return None

    def in_order_formula(self, file: DescriptionView) -> Formula | None:
        """Formula of the products of a stream that come as fast as the core takes them, told apart by their order."""
        return None

    @property
    def groups_formula(self) -> Formula | None:
        """Formula of the starts that the products of a stream take, equally many each; None for one start."""
        return None

    @property
    def latency_formula(self) -> Formula | None:
        """Formula of the cycles from the start of a product to its result, if they are constant."""
        return None

    def check_file(self, file: DescriptionView) -> None:
        """Raises ValueError (half a sentence) if another table of `core.toml` is inconsistent with the protocol."""
        self.check_result(file.result)
        several = self.products_formula is not None and not self.timed
        ports = (file.memory.product if file.memory else None, file.result.product)
        if several != (ports[0] is not None) or several != (ports[1] is not None):
            raise ValueError("protocol.products of a start, memory.product and result.product go together")

    def check_result(self, result: Result) -> None:
        """Raises ValueError if keys of [result] are missing or superfluous."""
        keys, read = result.keys(whole=True), {"address", "data", "words", "depth"}
        if keys - {"weight", "product", "order", "latency", "enable"} not in ({"port"}, read):
            raise ValueError("result needs either port, or address, data, words and depth")
        if result.port and keys & {"order", "latency", "enable"}:
            raise ValueError("order, latency and enable of result go with address and data")
        if result.enable and keys & {"weight", "product", "latency"}:
            raise ValueError("weight, product and latency of result go with a read port, not beside enable")
        if result.port and keys & {"weight", "product"}:
            raise ValueError("weight and product of result go with a read port")

    @property
    def loads(self) -> tuple[LoadedValue, ...]:
        """The values under its own key `load`, each with the range of an operand."""
        return ()

    def loaded(self, file: DescriptionView) -> list[str | int]:
        """The values written into the core before a start, as in `core.toml`, including "a" and "b"."""
        return [load.value for load in (*self.loads, *(file.memory.load if file.memory else ()))]

    @abstractmethod
    def bits(self) -> Iterator[Wire]:
        """The one-bit ports that the table names."""

    def wires(self, bound: BoundView) -> Iterator[Wire]:
        """The wider ports that the table names."""
        yield from ()

    def problems(self, bound: BoundView, largest: Mapping[str, int]) -> Iterator[str]:
        """Sentences about mismatches with the elaborated design, which has all ports of `bits` and `wires`.

        `largest` are the largest values of a, b and result. `fits` compares widths.
        """
        yield from ()

    # Widths and counts.

    def operand_words(self, bound: BoundView) -> int:
        """Number of words in which an operand passes its port."""
        return 1

    def result_words(self, bound: BoundView) -> int:
        """Number of words in which the result passes its port or the bus."""
        return 1

    def cycles(self, bound: BoundView) -> int:
        """Cycles that a stream may take in addition to those of the core and of the words of its memory."""
        return 0

    def delay(self, bound: BoundView) -> int:
        """Cycles after which it is seen at the latest that the core is done."""
        return 0

    def operand_width(self, layout: LayoutView, name: str) -> int:
        """Width of operand a or b of one product without a port of its own, in bits; 1 for one that is not there."""
        return max(layout.image_width, 1)

    def result_width(self, layout: LayoutView) -> int:
        """Width of the result of one product, in bits."""
        result = layout.bound.core.file.result
        if result.port:
            return layout.width(result.port) * layout.bound.result_words
        assert result.depth is not None
        assert result.data is not None
        return layout.bound.depth("result.depth", result.depth) * layout.width(result.data)

    def constants(self, layout: LayoutView) -> list[Field]:
        """The inputs of `connect` from the testbench, in addition to operands, as wires with these names."""
        return []

    # SystemVerilog.

    @property
    def inside(self) -> list[str]:
        """Names of outputs that may also be internal signals of the core."""
        return []

    @abstractmethod
    def outputs(self, ports: Mapping[str, DesignPort]) -> list[str]:
        """Outputs of the core that `connect` uses: port `x` is the wire `out_x`."""

    @abstractmethod
    def connect(self, shell: ShellView) -> Connection:
        """The text between the core and the sequencer of the shell, which begins and ends a product.

        The lines assign `accept` (the core would take an offer in this cycle), `core_done` (the core shows that it is
        done) and `held_back` (a handshake is stalled, which is counted). They also assign `loaded` (the operands that
        `load` requests are loaded), `read_done` (the result that `read` requests has been read), `Shell.result_net`,
        `stray` (a write that the core has to ignore) and `early` (a start that it has to ignore because it is not
        ready); `Shell.storage` does this for operands on ports and in a memory. The lines may use `offer` (a start in
        this cycle), `run` (the core is busy), `held` (the number of products in the core), `extra` (the offer is a
        disturbance), `other` (the core is given a product in front of the requested one), `willing` and `take` (the
        result would be, or is, taken), `renew_i` (constants have to be loaded again), `valid_i & ready_o` (the
        testbench gives the next product), its `turn_i`, `seed_i` and `disturb_i`, `stall_seed_i`, `clk_i`, `rst_i`, the
        operands `a_i` and `b_i`, `result_stall_i`, the `constants`, and the outputs of the core.
        """
