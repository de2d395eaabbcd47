# SPDX-License-Identifier: Apache-2.0
"""LUT cells in sites: pairs are legal and disjoint, none is missed that could be added, and rules of carry chains."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from limbtrace.rtl_bridge.elaboration.yosys import run_yosys, top_module
from limbtrace.rtl_bridge.synthesis.lut_sites import INPUTS, Inputs, in_sites, paired
from limbtrace.rtl_bridge.synthesis.source_map import PORTS, places

A, B, C, D, E, F, G = range(2, 9)
NETS = st.frozensets(st.integers(2, 9), min_size=1, max_size=6)


def module(*cells: tuple[str, Mapping[str, Any]], ports: Mapping[str, list[int]] | None = None) -> dict[str, Any]:
    """A module as in the JSON of Yosys, with cells named by their number."""
    return {
        "ports": {name: {"direction": "output", "bits": bits} for name, bits in (ports or {}).items()},
        "cells": {
            f"c{number}": {
                "type": kind,
                "connections": pins,
                "port_directions": {pin: "output" if pin in ("O", "CO", "Q") else "input" for pin in pins},
            }
            for number, (kind, pins) in enumerate(cells)
        },
    }


def lut(output: int, *inputs: int | str) -> tuple[str, dict[str, Any]]:
    return f"LUT{len(inputs)}", {**{f"I{k}": [net] for k, net in enumerate(inputs)}, "O": [output]}


def carry(select: int | str, data: int | str, total: int = 50, out: int = 60) -> tuple[str, dict[str, Any]]:
    """The lowest bit of a carry cell, the others unused."""
    outputs = {"O": [total, 51, 52, 53], "CO": [out, 61, 62, 63]}
    return "CARRY4", {"CI": ["0"], "S": [select, "0", "0", "0"], "DI": [data, "0", "0", "0"], **outputs}


def sites(*cells: tuple[str, Mapping[str, Any]], ports: Mapping[str, list[int]] | None = None) -> tuple[int, int]:
    given = module(*cells, ports=ports)
    return in_sites(given).used(given["cells"])


def most(first: Mapping[str, Inputs], second: Mapping[str, Inputs]) -> int:
    """The most pairs there can be: every pairing is tried."""

    @cache
    def best(left: frozenset[str]) -> int:
        if not left:
            return 0
        one, *others = sorted(left)
        rest = left - {one}
        return max([best(rest), *(1 + best(rest - {other}) for other in others if fit(one, other))])

    def fit(one: str, other: str) -> bool:
        return (one in second or other in second) and len(cells[one] | cells[other]) <= INPUTS

    cells = {**first, **second}
    return best(frozenset(cells))


@given(st.lists(NETS, max_size=4), st.lists(NETS, max_size=8))
def test_pairs_are_legal_and_not_far_from_the_most(at_carry: list[Inputs], others: list[Inputs]) -> None:
    first = {f"s{k}": inputs for k, inputs in enumerate(at_carry)}
    second = {f"c{k}": inputs for k, inputs in enumerate(others)}
    cells = {**first, **second}
    pairs = list(paired(first, second))
    named = [name for pair in pairs for name in pair]
    assert len(set(named)) == len(named)
    assert set(named) <= set(cells)
    for one, other in pairs:
        assert other in second
        assert len(cells[one] | cells[other]) <= INPUTS
    alone = [name for name in cells if name not in named]
    for one, other in combinations(alone, 2):
        assert other not in second or len(cells[one] | cells[other]) > INPUTS
    assert most(first, second) <= 2 * len(pairs)
    assert list(paired(first, second)) == pairs


@given(st.lists(st.frozensets(st.integers(2, 4), min_size=1), max_size=8))
def test_where_any_two_fit_no_more_than_one_is_alone(inputs: list[Inputs]) -> None:
    cells = {f"c{k}": some for k, some in enumerate(inputs)}
    assert len(list(paired({}, cells))) == len(cells) // 2 == most({}, cells)


def test_two_functions_of_five_inputs_share_a_site_and_of_six_do_not() -> None:
    assert sites(lut(20, A, B, C, D, E), lut(21, A, B, C, D, E)) == (1, 0)
    assert sites(lut(20, A, B, C), lut(21, D, E)) == (1, 0)
    assert sites(lut(20, A, B, C), lut(21, D, E, F)) == (2, 0)
    assert sites(lut(20, A, B, C, D, E, F), lut(21, A)) == (2, 0)
    assert sites(lut(20, A, A, B), lut(21, C, "1", D), ("INV", {"I": [E], "O": [22]})) == (2, 0)


def test_a_cell_at_a_carry_shares_with_that_of_the_same_bit_alone() -> None:
    ports = {"sum": [50]}
    pair = lut(20, A, B), lut(21, A, C)
    assert sites(*pair, carry(20, 21), ports=ports) == (1, 0)
    assert sites(*pair, carry(20, "0"), ports=ports) == (2, 0)
    assert sites(*pair, carry(21, 20), carry(20, 21), ports=ports) == (2, 0), "both are at S"
    assert sites(lut(20, A, B, C), lut(21, D, E, F), carry(20, 21), ports=ports) == (2, 0)


def register(data: int) -> tuple[str, dict[str, Any]]:
    return "FDRE", {"C": [A], "CE": ["1"], "D": [data], "Q": [70], "R": ["0"]}


def test_a_sum_that_stays_in_the_slice_leaves_the_other_output_its_way() -> None:
    pair = lut(20, A, B), lut(21, A, C)
    assert sites(*pair, carry(20, D), register(50)) == (1, 0)
    assert sites(*pair, carry(20, D), register(50), register(50)) == (2, 0), "one register is in the slice"
    assert sites(*pair, carry(20, D), register(50), lut(22, 50, A, B, C, D, E)) == (3, 0)
    assert sites(*pair, carry(20, D), register(50), ports={"carry": [60]}) == (2, 0)
    assert sites(*pair, carry(20, D)) == (1, 0), "of a comparison nobody reads the sum"
    assert sites(*pair, carry(20, D), carry(21, D, 54, 64), register(50)) == (2, 0), "both need O6"


def test_a_cell_is_in_one_pair_alone() -> None:
    ports = {"sums": [50, 54]}
    three = lut(20, A, B), lut(21, A, B), lut(22, A, B)
    assert sites(*three, carry(20, 22), carry(21, 22, 54, 64), ports=ports) == (2, 0)
    assert sites(*three, carry(20, 21), carry(20, 22, 54, 64), ports=ports) == (2, 1)
    assert sites(*three, carry(20, 21), ports=ports) == (2, 0)
    assert sites(*three, carry(20, 21), register(50)) == (2, 0)


def test_a_carry_that_goes_on_in_its_chain_stays_inside() -> None:
    pair = lut(20, A, B), lut(21, A, C)
    kind, pins = carry("0", "0", 54, 64)
    assert sites(*pair, carry(20, D), register(50), (kind, {**pins, "CI": [60]})) == (1, 0)


BITS = st.lists(st.tuples(st.integers(20, 27), st.integers(20, 27), st.booleans()), max_size=5)


@given(st.lists(st.lists(st.integers(2, 7), min_size=1, max_size=6), min_size=8, max_size=8), BITS)
def test_pairs_of_any_module_are_legal(inputs: list[list[int]], bits: list[tuple[int, int, bool]]) -> None:
    """Eight cells, some at bits of carry cells whose sums are registered or leave."""
    cells = [lut(20 + k, *nets) for k, nets in enumerate(inputs)]
    cells += [carry(select, data, 100 + k, 200 + k) for k, (select, data, _) in enumerate(bits)]
    cells += [register(100 + k) for k, (*_, is_registered) in enumerate(bits) if is_registered]
    given_ = module(
        *cells, ports={"sums": [100 + k for k, (*_, is_registered) in enumerate(bits) if not is_registered]}
    )
    found = in_sites(given_)
    named = [name for pair in found.pairs for name in pair]
    assert len(set(named)) == len(named)
    for one, other in found.pairs:
        first, second = (20 + int(name[1:]) for name in (one, other))
        assert second not in [select for select, *_ in bits]
        assert len(found.luts[one] | found.luts[other]) <= INPUTS
        beside = [bit for bit in bits if bit[0] == first]
        assert not beside or any(data == second or is_registered for _, data, is_registered in beside)
    assert found.used(given_["cells"]) == (
        len(inputs) - len(found.pairs),
        len(bits) - len({select for select, *_ in bits}),
    )


def mux(*inputs: int) -> tuple[str, dict[str, Any]]:
    return "MUXF7", {"I0": [inputs[0]], "I1": [inputs[1]], "S": [A], "O": [80]}


def test_a_cell_at_a_wide_multiplexer_has_its_site_for_itself() -> None:
    assert sites(lut(20, A), lut(21, A), mux(20, 21)) == (2, 0)
    assert sites(lut(20, A), lut(21, A), lut(22, A), lut(23, A), mux(20, 21)) == (3, 0)


def test_signals_from_elsewhere_pass_through_a_site() -> None:
    assert sites(carry(A, B)) == (0, 1)
    assert sites(carry("0", B)) == (0, 0)
    assert sites(lut(20, A), carry(20, B), carry(20, C, 54, 64)) == (1, 1), "O6 goes to one bit"
    assert sites(lut(20, A), mux(20, B)) == (1, 1)
    pair = lut(20, A), lut(21, A)
    assert sites(*pair, carry(20, B), register(50), mux(20, B)) == (2, 2), "the copy at MUXF7 leaves no way for O5"


def test_the_order_of_cells_alone_decides_between_equals() -> None:
    def names(*order: str) -> Iterator[tuple[str, str]]:
        return paired({}, dict.fromkeys(order, frozenset({A, B, C})))

    assert list(names("x", "y", "z")) == [("x", "y")]
    assert list(names("z", "y", "x")) == [("z", "y")]


SUM = """module sum3(input clk, input [14:0] a, b, c, output reg [16:0] s);
always @(posedge clk) s <= a + b + c;
endmodule
"""


def test_a_sum_of_three_words_takes_fewer_sites_than_cells(tmp_path: Path) -> None:
    """As docs/explanation/areas.md has it: a majority is used by the LUT of its own bit's site, and by the next one."""
    (tmp_path / "sum3.v").write_text(SUM)
    script = "read_verilog sum3.v\nsynth_xilinx -top sum3 -flatten -noiopad -noclkbuf\nwrite_json sum3.json\n"
    run_yosys(script, tmp_path, tmp_path / "log")
    module = top_module(json.loads((tmp_path / "sum3.json").read_text()))
    found = in_sites(module)
    assert (len(found.luts), *found.used(module["cells"])) == (30, 20, 0)


def from_line(cell: tuple[str, dict[str, Any]], source: str) -> tuple[str, dict[str, Any]]:
    return cell[0], {**cell[1], "src": source}


def placed(*cells: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A module whose cells have the source that `from_line` gave them."""
    found = module(*cells)
    for cell in found["cells"].values():
        pins = cell["connections"]
        cell["attributes"] = {"src": pins.pop("src")} if "src" in pins else {}
    return found


def test_a_cell_without_a_line_is_at_the_nearest_one_that_follows_it() -> None:
    library = "/share/xilinx/ff_map.v:68.41-68.95"
    given = placed(
        from_line(register(20), f"core/sub/b.sv:7.3-8.4|{library}"),
        from_line(carry(21, A), "cells/a.sv:30.1-30.9|/share/xilinx/arith_map.v:176.11-184.5"),
        lut(20, 21, 22),
        from_line(lut(21, A), "/share/xilinx/lut_map.v:43.26-44.30"),
        lut(22, 23),
        lut(23, A),
        lut(30, A),
    )
    assert {place: list(cells) for place, cells in places(given, "line").items()} == {
        "a.sv:30": ["c1", "c3"],
        "sub/b.sv:7": ["c0", "c2", "c4", "c5"],
        PORTS: ["c6"],
    }
    assert {place: list(cells) for place, cells in places(given, "file").items()} == {
        "a.sv": ["c1", "c3"],
        "sub/b.sv": ["c0", "c2", "c4", "c5"],
        PORTS: ["c6"],
    }
    assert list(places(given, "line")) == ["a.sv:30", "sub/b.sv:7", PORTS]
    used = in_sites(given).used
    assert used(given["cells"])[0] == 3 == sum(used(cells)[0] for cells in places(given, "file").values())
