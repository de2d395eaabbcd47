# SPDX-License-Identifier: Apache-2.0
"""The checker of proofs shares no code with what makes them."""

import subprocess
import sys

import grimp


def test_it_loads_nothing_of_what_makes_proofs() -> None:
    """In a process of its own, the checker is there, and no prover, bench or solver."""
    program = "import sys; import limbtrace.rtl_bridge.check_proof.check; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "limbtrace.rtl_bridge.check_proof.replay" in loaded
    others = {name for name in loaded if name.startswith("limbtrace.rtl_bridge.")}
    assert all(name.startswith("limbtrace.rtl_bridge.check_proof") for name in others)
    assert not {"bitwuzla", "pysat", "z3"} & set(loaded)


def test_no_module_of_it_imports_another_part_of_the_bridge() -> None:
    graph = grimp.build_graph("limbtrace")
    own = graph.find_descendants("limbtrace.rtl_bridge.check_proof")
    found = {each for module in own for each in graph.find_modules_directly_imported_by(module)}
    assert "limbtrace.rtl_bridge.check_proof.logic" in found
    bridge = {name for name in found if name.startswith("limbtrace.rtl_bridge.")}
    assert all(name.startswith("limbtrace.rtl_bridge.check_proof.") for name in bridge)
