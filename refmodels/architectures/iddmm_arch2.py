# SPDX-License-Identifier: Apache-2.0
"""Architecture 2 of the IDDMM paper without pipeline levels: one digit a cycle, q and the carry C in registers.

Pass i takes n + 2 cycles. In local cycle t = 0 the quotient digit is found; in t = j + 1 the adders work on digit j,
and from j = 1 on digit j - 1 of the accumulator is written. The carry register is cleared when digit n passes.
"""

from refmodels import iddmm
from refmodels.algorithms.iddmm2 import MODEL
from refmodels.architecture import Architecture, Column, Control, Cost, Part, Signal, signal


def columns(params: iddmm.Iddmm) -> tuple[Column, ...]:
    """The watched signals: three registers, three adders, the write port of the accumulator's memory."""
    k, n = params.radix_bits, params.digits
    period = n + 2

    def digit(cycle: int) -> tuple[int, int] | None:
        i, t = divmod(cycle, period)
        return (i, t - 1) if t else None

    def carry_out(cycle: int) -> tuple[int, int] | None:
        i, t = divmod(cycle, period)
        return (i, t) if t else None

    def written(cycle: int) -> tuple[int, int] | None:
        i, t = divmod(cycle, period)
        return (i + 1, t - 2) if t > 1 else None

    return (
        signal("q", k, "register", "q", lambda c: (c // period, 0)),
        signal("C", k + 1, "register", "C", lambda c: (c // period, c % period % (n + 1))),
        signal("An", 2, "register", "A", lambda c: ((c + 1) // period, n)),
        signal("S", 2 * k, "combinational", "S", lambda c: (c // period, max(c % period - 1, 0))),
        signal("R", 2 * k, "combinational", "R", digit),
        Signal("U", 2 * k + 1, "combinational", ((Part("C", carry_out), k + 1), (Part("U", digit), k))),
        Control("A_we", 1, "combinational", lambda c: int(c % period > 1)),
        Control("A_addr", n.bit_length(), "combinational", lambda c: c % period - 2 if c % period > 1 else None),
        signal("A", k, "combinational", "A", written),
    )


def cycles(params: iddmm.Iddmm) -> int:
    """T(n + 2)."""
    return params.passes * (params.digits + 2)


ARCHITECTURE = Architecture(
    id="iddmm_arch2",
    title="IDDMM architecture 2, no pipeline level",
    source=iddmm.paper("section 4, architecture 2"),
    model=MODEL,
    parameters=iddmm.PARAMETERS,
    first_cycle=0,
    columns=columns,
    cycles=cycles,
    interval=lambda params: cycles(params) + 1,
    costs=(
        Cost("cycles", "clock cycles", "T(n + 2)", cycles),
        Cost("registers", "bits", "C: k + 1, q: k, A_n: 2", lambda params: 2 * params.radix_bits + 3),
        Cost("multipliers", "k x k", "X_j*Y_i, q*p_j, p'*S_0 (low half)", lambda params: 3),
    ),
    published={
        "cycles": {"1024 bits, k = 4, 8, 16, 32, 64": [66048, 16640, 4224, 1088, 288]},
        "registers": {"k = 4, 8, 16, 32, 64, without q and A_n": [5, 9, 17, 33, 65]},
        "multipliers": {"18 x 18 or DSP48E, k = 16, 32, 64": [4, 11, 33]},
        "area": {
            "1024 bits, k = 32, pipelined, Spartan-3": {"LUT": 425, "FF": 177, "multipliers": 11},
            "1024 bits, k = 64, pipelined, Virtex-5": {"LUT": 704, "FF": 337, "multipliers": 33},
        },
    },
)
