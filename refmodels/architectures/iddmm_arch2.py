# SPDX-License-Identifier: Apache-2.0
"""Architecture 2 of the IDDMM paper without pipeline levels: one adder of three numbers, one wide carry register."""

from refmodels import iddmm
from refmodels.algorithms.iddmm2 import MODEL
from refmodels.architecture import Architecture, Column, Cost, Part, Signal, signal
from refmodels.architectures.iddmm_passes import CYCLES, MULTIPLIERS, PUBLISHED, Passes, cycles, interval


def columns(params: iddmm.Iddmm) -> tuple[Column, ...]:
    """The watched signals: three registers, three adders, the write port of the accumulator's memory."""
    at = Passes(params)
    k = at.k
    return (
        signal("q", k, "register", "q", at.quotient),
        signal("C", k + 1, "register", "C", at.carry),
        signal("An", 2, "register", "A", at.top),
        signal("S", 2 * k, "combinational", "S", at.addressed),
        signal("R", 2 * k, "combinational", "R", at.digit),
        Signal("U", 2 * k + 1, "combinational", ((Part("C", at.carry_out), k + 1), (Part("U", at.digit), k))),
        *at.write_port,
    )


ARCHITECTURE = Architecture(
    id="iddmm_arch2",
    title="IDDMM architecture 2, no pipeline level",
    source=iddmm.paper("section 4, architecture 2"),
    model=MODEL,
    parameters=iddmm.PARAMETERS,
    first_cycle=0,
    columns=columns,
    cycles=cycles,
    interval=interval,
    costs=(
        CYCLES,
        Cost("registers", "bits", "C: k + 1, q: k, A_n: 2", lambda params: 2 * params.radix_bits + 3),
        MULTIPLIERS,
    ),
    published={
        **PUBLISHED,
        "registers": {"k = 4, 8, 16, 32, 64, without q and A_n": [5, 9, 17, 33, 65]},
        "area": {
            "1024 bits, k = 32, pipelined, Spartan-3": {"LUT": 425, "FF": 177, "multipliers": 11},
            "1024 bits, k = 64, pipelined, Virtex-5": {"LUT": 704, "FF": 337, "multipliers": 33},
        },
    },
)
