# SPDX-License-Identifier: Apache-2.0
"""The document of what was proved of a core, and of what was trusted."""

from limbtrace.vectors.proof.check import CheckDocument, CheckedProduct, CheckVerdict
from limbtrace.vectors.proof.document import (
    Method,
    OpenObligation,
    ProductName,
    ProofDocument,
    ProofSimulation,
    ProvedProduct,
    Verdict,
)
from limbtrace.vectors.proof.reach import ReachDocument, ReachMethod, ReachVerdict
from limbtrace.vectors.proof.timing import (
    TimedProduct,
    TimingDependence,
    TimingDocument,
    TimingKind,
    TimingSource,
    TimingVerdict,
    TimingWitness,
)

__all__ = ["CheckDocument", "CheckVerdict", "CheckedProduct", "Method", "OpenObligation", "ProductName",
           "ProofDocument", "ProofSimulation", "ProvedProduct", "ReachDocument", "ReachMethod", "ReachVerdict",
           "TimedProduct", "TimingDependence", "TimingDocument", "TimingKind", "TimingSource", "TimingVerdict",
           "TimingWitness", "Verdict"]  # fmt: skip
