# SPDX-License-Identifier: Apache-2.0
"""Architecture 1 of the IDDMM paper without pipeline levels: three adders, each with a carry register of its own."""

from refmodels import iddmm
from refmodels.algorithms.iddmm1 import MODEL
from refmodels.architecture import Architecture, Column, Cost, Part, Signal, signal
from refmodels.architectures.iddmm_passes import CYCLES, MULTIPLIERS, PUBLISHED, Passes, cycles, interval


def columns(params: iddmm.Iddmm) -> tuple[Column, ...]:
    """The watched signals: five registers, three adders, the write port of the accumulator's memory."""
    at = Passes(params)
    k = at.k
    s_width = max(2 * k, 3)  # digit n of X and of A: up to 2*beta, which is 4 for k = 1

    def s_carry_out(cycle: int) -> tuple[int, int]:
        i, j = at.addressed(cycle)
        return i, j + 1

    return (
        signal("q", k, "register", "q", at.quotient),
        signal("CS", k, "register", "CS", at.carry),
        signal("CR", k, "register", "CR", at.carry),
        signal("CU", 1, "register", "CU", at.carry),
        signal("An", 2, "register", "A", at.top),
        Signal("S", s_width, "combinational", ((Part("CS", s_carry_out), s_width - k), (Part("S", at.addressed), k))),
        Signal("R", 2 * k, "combinational", ((Part("CR", at.carry_out), k), (Part("R", at.digit), k))),
        Signal("U", k + 1, "combinational", ((Part("CU", at.carry_out), 1), (Part("U", at.digit), k))),
        *at.write_port,
    )


ARCHITECTURE = Architecture(
    id="iddmm_arch1",
    title="IDDMM architecture 1, no pipeline level",
    source=iddmm.paper("section 4, architecture 1"),
    model=MODEL,
    parameters=iddmm.PARAMETERS,
    first_cycle=0,
    columns=columns,
    cycles=cycles,
    interval=interval,
    costs=(
        CYCLES,
        Cost("registers", "bits", "C_S, C_R: k, C_U: 1, q: k, A_n: 2", lambda params: 3 * params.radix_bits + 3),
        MULTIPLIERS,
    ),
    published={
        **PUBLISHED,
        "registers": {"k = 4, 8, 16, 32, 64, without q and A_n": [9, 17, 33, 65, 129]},
    },
)
