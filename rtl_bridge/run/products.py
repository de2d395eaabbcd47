# SPDX-License-Identifier: Apache-2.0
"""Inputs of a comparison for a stream of products: golden data, and the outputs of the core."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from limbtrace.refmodels.architecture import Batch, Plan
from limbtrace.refmodels.model import Index
from limbtrace.rtl_bridge.run.rows import KnownRows, PackedRows
from limbtrace.rtl_bridge.shell.outcome import Broken

CycleColumns = Sequence[Sequence[int | None]]
"""[column of the schedule][cycle]; None for don't-care cells."""


class BatchTable(Sequence[Sequence[int | None]]):
    """The table of one product of a batch; columns are made on first use."""

    def __init__(self, batch: Batch, at: int) -> None:
        self.batch, self.at = batch, at

    def __len__(self) -> int:
        return len(self.batch.columns)

    def __getitem__(self, column: Any) -> Any:
        return self.batch.column(column, self.at)


@dataclass(frozen=True)
class ExpectedStream:
    """Golden data of one stream, as the testbench sees it: as if it were one product.

    `result` is what the core returns. Those of several products stand side by side (`Shell.join`).
    """

    case: int
    """Number of the first product."""
    a: int
    b: int
    result: int
    table: CycleColumns | None
    steps: Sequence[tuple[str, Index, int]]
    """Steps of the model that rows are compared with, if the core has rows that need them."""
    image: int | None = None
    """`GoldenRows.images` of the product, if it is at hand."""
    plan: Plan | None = None
    """The schedule that the table was generated from."""
    max_cycles: int | None = None
    """Limit of the cycles from start to done, if it is not that of the core without a schedule."""


@dataclass(frozen=True)
class CoreOutputs:
    """Outputs of the core for one product; texts of 0, 1, x, z, most significant bit first, first row last."""

    rows: str | PackedRows | KnownRows
    result: str
    latency: int
    taken: bool
    late: bool
    unknown: bool = False
    """Done was X in cycle `latency`, or before that ready was X."""
    broken: Broken | None = None
    """The violated rule of the handshake, in this product or before it."""
    struck: bool = False
    """A reset has ended the product, and neither its result nor its rows are known."""
    early: int = 0
    """`early_o` of lt_monitor."""


UNOBSERVED = CoreOutputs("", "", 0, taken=True, late=False)
"""A stream of which nothing is known."""
