# SPDX-License-Identifier: Apache-2.0
"""Architecture 2 of the IDDMM paper: one adder of three numbers, with one wide carry register."""

from limbtrace.refmodels.architecture import Architecture, Column, Part, Shape, Signal, signal
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import passes as iddmm_passes
from limbtrace.refmodels.papers.iddmm.iddmm2 import MODEL
from limbtrace.refmodels.papers.iddmm.passes import Passes


def columns(shape: Shape) -> tuple[Column, ...]:
    """The watched signals: registers, pipeline registers, adders, the accumulator's write port."""
    at = Passes(shape)
    k, adders, last = at.k, at.adders, at.levels
    second_level = (
        signal("SR", 2 * k, "register", "S", at.addressed(adders)),
        signal("RR", 2 * k, "register", "R", at.digit(adders)),
    )
    return (
        signal("q", k, "register", "q", at.quotient),
        signal("C", k + 1, "register", "C", at.carry(last)),
        signal("An", 2, "register", "A", at.top),
        *at.levels_of(second_level),
        signal("S", 2 * k, "combinational", "S", at.addressed(adders)),
        signal("R", 2 * k, "combinational", "R", at.digit(adders)),
        Signal(
            "U", 2 * k + 1, "combinational", ((Part("C", at.digit(last, 1)), k + 1), (Part("U", at.digit(last)), k))
        ),
        *at.write_port,
    )


ARCHITECTURE = Architecture(
    id="iddmm_arch2",
    title="IDDMM architecture 2, 0 to 2 pipeline levels",
    source=iddmm.paper("section 4, architecture 2"),
    model=MODEL,
    own_parameters=iddmm_passes.OWN_PARAMETERS,
    own=iddmm_passes.own,
    first_cycle=0,
    steps=iddmm_passes.micro_steps(MODEL),
    columns=columns,
    cycles=iddmm_passes.cycles,
    interval=iddmm_passes.interval,
    costs=(*iddmm_passes.COSTS, iddmm_passes.registers("C: k + 1", lambda k: k + 1)),
    published=iddmm_passes.published(2),
)
