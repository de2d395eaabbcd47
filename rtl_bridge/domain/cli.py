# SPDX-License-Identifier: Apache-2.0
"""`limbtrace domain`."""

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.domain.result import Domain, domain_text
from limbtrace.rtl_bridge.domain.search import Search
from limbtrace.rtl_bridge.domain.trials import Trials
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.run.options import job_options
from limbtrace.vectors.cli import MISMATCH, json_option
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.request import within

COUNT, MOST_COUNT = 32, 4096
"""Products at each modulus, by default and at most."""
MODULI = {"verilator": 1000, "icarus": 240}
"""Moduli by default, half of which are tried before a condition is known."""
MOST_MODULI = 100_000
BUILDS = 24
"""Builds of the core beside the first by default."""
LIMIT = 60
"""Seconds of a proof by default."""


@click.command()
@job_options(
    Job,
    "core",
    "run",
    mode=MODES[0],
    disturb=(),
    service=None,
    keep_going=None,
    waves=None,
)
@click.option("--count", metavar="N", default=str(COUNT), show_default=True, help="Products at each modulus.")
@click.option("--moduli", "most", metavar="N", help="About as many moduli as this; default "
              f"{MODULI['verilator']} in Verilator, {MODULI['icarus']} in Icarus.")  # fmt: skip
@click.option("--seed", metavar="N", default="1", show_default=True, help="Seed of the moduli.")
@click.option("--builds", type=click.IntRange(min=0), default=BUILDS, show_default=True, metavar="N",
              help="Most further builds, where a parameter of the RTL follows from the modulus.")  # fmt: skip
@click.option("--prove", "proves", is_flag=True, help="Prove the core at moduli beside the borders of the condition.")
@click.option("--limit", type=click.IntRange(1, 86_400), metavar="SECONDS",
              help=f"Timeout of each proof; default {LIMIT}.")  # fmt: skip
@json_option
def domain(
    job: Job,
    count: str,
    most: str | None,
    seed: str,
    builds: int,
    proves: bool,
    limit: int | None,
    as_json: bool,
) -> int:
    """Find out for which moduli a core is right, as a condition; exit 1 if it is wrong at one that core.toml permits.

    CORE is a built-in core or a folder with RTL and a core.toml. The modulus that is asked for says which build of the
    core it is about: all moduli that this build takes are meant. Moduli are tried in a simulator; up to 8 bits all of
    them with all operands, if these are few enough.
    """
    if limit is not None and not proves:
        raise ParameterError("limit", "it is about --prove")
    products = within("count", count, 1, MOST_COUNT)
    moduli = within("moduli", most or str(MODULI[job.simulator]), 16, MOST_MODULI)
    search = Search(Trials(job, products, builds), moduli, parse_integer(seed, "seed"))
    if proves:
        from limbtrace.rtl_bridge.domain.proofs import prove
        from limbtrace.rtl_bridge.proof.cli import check_solver

        check_solver()
    search.run()
    proved = prove(search, limit or LIMIT) if proves and not search.every else []
    document = Domain(search, proved).document
    click.echo(dump(document) if as_json else domain_text(document), nl=as_json)
    return MISMATCH if search.trials.wrong else 0
