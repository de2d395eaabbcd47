# SPDX-License-Identifier: Apache-2.0
"""Sites that the LUT cells of a netlist for Xilinx need, as far as their inputs and the carry chains decide it.

A site is one six-input LUT of Virtex-5 and later. What is used of the architecture is in AMD UG474 (7 Series FPGAs CLB,
"Look-Up Table", "Carry Chain Primitive" and the figure of a slice); UG190 says the same of Virtex-5:

* A site has the outputs O6 and O5. It holds one function of up to six inputs, or two that have at most five distinct
  inputs altogether.
* S of a carry cell comes from O6 of the site beside it, DI from O5 of the same site or from outside the slice.
* O5 leaves the slice through a multiplexer that sum and carry of the same bit leave through, too. A sum can go into the
  flip-flop beside it without that multiplexer.
* The data inputs of MUXF7 come from O6 of the sites beside it.

Vendors' reports count a site once, whether it holds one function or two (AMD answer records 63514 and 23515).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

INPUTS = 5
"""Distinct inputs of two functions that share a site."""

Net = int | str
"""A net by its number, or a constant."""

Inputs = frozenset[int]
"""The nets at the inputs of a LUT cell, without constants."""


@dataclass(frozen=True)
class Sites:
    """LUT cells in sites."""

    luts: Mapping[str, Inputs]
    """Every LUT cell and every inverter."""
    pairs: tuple[tuple[str, str], ...]
    """Cells that share a site: the one at O6 and the one at O5."""
    through: tuple[str, ...]
    """For each site without a cell of its own, the carry cell or MUXF7 to which it passes a signal on."""

    def used(self, cells: Collection[str]) -> tuple[int, int]:
        """Sites that hold some of the cells, and sites that pass a signal on to one of them; each counts at one cell.

        The first number is an upper bound, since other pairs might be more.
        """
        second = {name for _, name in self.pairs}
        return (
            sum(name in self.luts and name not in second for name in cells),
            sum(name in cells for name in self.through),
        )


class _Bit(NamedTuple):
    """A bit of a carry cell."""

    cell: str
    select: Net
    data: Net
    is_inside: bool
    """True if sum and carry leave O5 its way out of the slice."""


class _Use(NamedTuple):
    """A carry cell or MUXF7, and a net that reaches it through O6 of a site."""

    cell: str
    net: Net


def in_sites(module: Mapping[str, Any]) -> Sites:
    """Pair the LUT cells of a module that Yosys' `write_json` wrote.

    A cell at MUXF7 has a site for itself. One at S shares it with the cell at DI of the same bit, or where sum and
    carry stay in the slice with any cell that fits and is not at S itself. The same module gives the same pairs.
    """
    cells = module["cells"]
    luts = {name: _inputs(cell) for name, cell in cells.items() if _is_lut(cell["type"])}
    drivers = {cells[name]["connections"]["O"][0]: name for name in luts}
    bits, muxes = list(_carry_bits(module)), list(_mux_inputs(cells))
    o6_users = [*(_Use(bit.cell, bit.select) for bit in bits), *muxes]
    at_o6 = {drivers[use.net] for use in o6_users if use.net in drivers}
    carry_pairs = list(_carry_pairs(bits, luts, drivers, at_o6))
    in_pairs = {name for pair in carry_pairs for name in pair}
    at_muxes = {drivers[use.net] for use in muxes if use.net in drivers}
    with_free_o5 = {drivers[bit.select] for bit in bits if bit.is_inside and bit.select in drivers}
    hosts = {name: luts[name] for name in luts if name in with_free_o5 - in_pairs - at_muxes}
    guests = {name: luts[name] for name in luts if name not in at_o6 | in_pairs}
    return Sites(luts, (*carry_pairs, *paired(hosts, guests)), tuple(_feed_throughs(o6_users, drivers)))


def _mux_inputs(cells: Mapping[str, Any]) -> Iterator[_Use]:
    """The data inputs of all MUXF7."""
    for name, cell in cells.items():
        if cell["type"] == "MUXF7":
            yield from (_Use(name, cell["connections"][pin][0]) for pin in ("I0", "I1"))


def _feed_throughs(uses: Iterable[_Use], drivers: Mapping[Net, str]) -> Iterator[str]:
    """Cells that need a site to pass a signal on: it is not the output of a LUT, or of one that another use has."""
    placed = set[str]()
    for cell, net in uses:
        if net in drivers and drivers[net] not in placed:
            placed.add(drivers[net])
        elif isinstance(net, int):
            yield cell


def _carry_pairs(
    bits: Iterable[_Bit], luts: Mapping[str, Inputs], drivers: Mapping[Net, str], at_o6: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Disjoint pairs of the cell at S and the one at DI of a carry bit that have at most INPUTS inputs altogether."""
    in_pairs = set[str]()
    for bit in bits:
        select, data = drivers.get(bit.select), drivers.get(bit.data)
        if select is None or data is None or data in at_o6 or {select, data} & in_pairs:
            continue
        if len(luts[select] | luts[data]) <= INPUTS:
            in_pairs |= {select, data}
            yield select, data


def paired(first: Mapping[str, Inputs], second: Mapping[str, Inputs]) -> Iterator[tuple[str, str]]:
    """Disjoint pairs of cells that have at most INPUTS inputs altogether, at most one cell of a pair from `first`.

    Greedy: cells of `first` choose before those of `second`, and those with many inputs before others, as fewer cells
    fit them; they choose a cell of `second` with as many inputs as possible, then with as many in common, then the
    first of equals. No cell that is left over fits another one.
    """
    sharing: dict[tuple[int, Inputs], list[str]] = defaultdict(list)
    for name in reversed(list(second)):
        inputs = second[name]
        for common in range(len(inputs) + 1):
            for some in combinations(sorted(inputs), common):
                sharing[len(inputs), frozenset(some)].append(name)
    taken: set[str] = set()
    for cells in (first, second):
        for name in sorted(cells, key=lambda name: -len(cells[name])):
            if name in taken:
                continue
            taken.add(name)
            partner = _partner(cells[name], sharing, taken)
            if partner is not None:
                taken.add(partner)
                yield name, partner


def _partner(inputs: Inputs, sharing: Mapping[tuple[int, Inputs], list[str]], taken: Collection[str]) -> str | None:
    """The cell that fits best; forgets taken ones."""
    for size in range(INPUTS, -1, -1):
        fewest = max(0, len(inputs) + size - INPUTS)
        for common in range(min(size, len(inputs)), fewest - 1, -1):
            for some in combinations(sorted(inputs), common):
                fitting = sharing.get((size, frozenset(some)), [])
                while fitting and fitting[-1] in taken:
                    fitting.pop()
                if fitting:
                    return fitting[-1]
    return None


def _is_lut(kind: str) -> bool:
    return kind == "INV" or (kind.startswith("LUT") and kind[3:].isdigit())


def _inputs(cell: Mapping[str, Any]) -> Inputs:
    wires = (bits[0] for pin, bits in cell["connections"].items() if pin != "O")
    return frozenset(net for net in wires if isinstance(net, int))


def _carry_bits(module: Mapping[str, Any]) -> Iterator[_Bit]:
    used = Counter(net for port in module["ports"].values() for net in port["bits"])
    inside: Counter[Net] = Counter()
    for cell in module["cells"].values():
        for pin, nets in cell["connections"].items():
            if cell["port_directions"][pin] == "input":
                used.update(nets)
                if pin == "CI" or (pin == "D" and cell["type"].startswith("FD")):
                    inside.update(nets)
    for name, cell in module["cells"].items():
        if cell["type"] in ("CARRY4", "CARRY8"):
            pins = cell["connections"]
            for select, data, total, carry in zip(pins["S"], pins["DI"], pins["O"], pins["CO"], strict=True):
                is_inside = used[total] == inside[total] <= 1 and used[carry] == inside[carry]
                yield _Bit(name, select, data, is_inside)
