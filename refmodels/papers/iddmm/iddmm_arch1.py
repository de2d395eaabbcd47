# SPDX-License-Identifier: Apache-2.0
"""Architecture 1 of the IDDMM paper: three adders, each with a carry register of its own."""

from limbtrace.refmodels.architecture import Architecture, Column, Part, Shape, Signal, signal
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import passes as iddmm_passes
from limbtrace.refmodels.papers.iddmm.iddmm1 import MODEL
from limbtrace.refmodels.papers.iddmm.passes import Passes


def columns(shape: Shape) -> tuple[Column, ...]:
    """The watched signals: registers, pipeline registers, adders, the accumulator's write port."""
    at = Passes(shape)
    k, adders, last = at.k, at.adders, at.levels
    s_width = max(2 * k, 3)  # digit n of X and of A: up to 2*beta, which is 4 for k = 1
    s = ((Part("CS", at.addressed(adders, 1)), s_width - k), (Part("S", at.addressed(adders)), k))
    r = ((Part("CR", at.digit(adders, 1)), k), (Part("R", at.digit(adders)), k))
    second_level = (Signal("SR", s_width, "register", s), Signal("RR", 2 * k, "register", r))
    return (
        signal("q", k, "register", "q", at.quotient),
        signal("CS", k, "register", "CS", at.carry(adders)),
        signal("CR", k, "register", "CR", at.carry(adders)),
        signal("CU", 1, "register", "CU", at.carry(last)),
        signal("An", 2, "register", "A", at.top),
        *at.levels_of(second_level),
        Signal("S", s_width, "combinational", s),
        Signal("R", 2 * k, "combinational", r),
        Signal("U", k + 1, "combinational", ((Part("CU", at.digit(last, 1)), 1), (Part("U", at.digit(last)), k))),
        *at.write_port,
    )


ARCHITECTURE = Architecture(
    id="iddmm_arch1",
    title="IDDMM architecture 1, 0 to 2 pipeline levels",
    source=iddmm.paper("section 4, architecture 1"),
    model=MODEL,
    own_parameters=iddmm_passes.OWN_PARAMETERS,
    own=iddmm_passes.own,
    first_cycle=0,
    steps=iddmm_passes.micro_steps(MODEL),
    columns=columns,
    cycles=iddmm_passes.cycles,
    interval=iddmm_passes.interval,
    costs=(*iddmm_passes.COSTS, iddmm_passes.registers("C_S, C_R: k, C_U: 1", lambda k: 2 * k + 1)),
    published=iddmm_passes.published(1),
)
