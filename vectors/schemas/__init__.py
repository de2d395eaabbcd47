# SPDX-License-Identifier: Apache-2.0
"""The published JSON Schemas (draft 2020-12), made by `python -m limbtrace.vectors.schemas`."""

import json
from importlib.resources import files
from typing import Any

from limbtrace.vectors.campaigns import CampaignDocument
from limbtrace.vectors.catalogue.document import EventsDocument, Tables
from limbtrace.vectors.certificate.document import Certificate
from limbtrace.vectors.coverage.document import CoverageDocument
from limbtrace.vectors.cycles.document import CycleDocument
from limbtrace.vectors.designs.document import Designs
from limbtrace.vectors.digests.document import DigestClaim, DigestDocument
from limbtrace.vectors.document import adapter
from limbtrace.vectors.domain import DomainDocument
from limbtrace.vectors.fp2.document import Fp2Set
from limbtrace.vectors.grades.document import GradeDocument
from limbtrace.vectors.proof import CheckDocument, ProofDocument, ReachDocument, TimingDocument
from limbtrace.vectors.report.document import ReportDocument
from limbtrace.vectors.results.document import Results
from limbtrace.vectors.results.of_set import SetResults
from limbtrace.vectors.sessions.document import Abilities, Session, SessionCases, SessionResults, SessionVerdicts
from limbtrace.vectors.sets.document import SetDocument
from limbtrace.vectors.signoff import SignoffDocument
from limbtrace.vectors.traces.document import TraceDocument
from limbtrace.vectors.verification import Verification

VerificationRequest = (
    Results | SetResults | DigestClaim | SetDocument | DigestDocument | TraceDocument | CycleDocument | Fp2Set
)
"""Documents that can be verified: users' results and digests, or any document that limbtrace wrote."""

SessionDocument = Abilities | Session | SessionCases | SessionResults | SessionVerdicts
"""Documents that belong to a session, sent and answered."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: dict[str, tuple[str, Any]] = {
    "limbtrace-vectors-1.schema.json": ("Vector set of limbtrace", SetDocument),
    "limbtrace-digest-1.schema.json": ("Digest of the results of a limbtrace set", DigestDocument),
    "limbtrace-trace-1.schema.json": ("Digit-level trace of limbtrace", TraceDocument),
    "limbtrace-cycles-1.schema.json": ("Cycle table of limbtrace", CycleDocument),
    "limbtrace-fp2-1.schema.json": ("Products in GF(p^2) of limbtrace", Fp2Set),
    "limbtrace-verification-1.schema.json": ("Documents that limbtrace verifies", VerificationRequest),
    "limbtrace-verdict-1.schema.json": ("Verdict of limbtrace", Verification),
    "limbtrace-tables-1.schema.json": ("Figures of papers beside those of limbtrace", Tables),
    "limbtrace-explore-1.schema.json": ("Design space of a limbtrace core", Designs),
    "limbtrace-events-1.schema.json": ("Events of a limbtrace model", EventsDocument),
    "limbtrace-coverage-1.schema.json": ("Events that cases make happen", CoverageDocument),
    "limbtrace-grade-1.schema.json": ("Grade of vectors by limbtrace", GradeDocument),
    "limbtrace-session-1.schema.json": ("Documents of a limbtrace session", SessionDocument),
    "limbtrace-report-1.schema.json": ("Report of a simulation by limbtrace", ReportDocument),
    "limbtrace-campaign-1.schema.json": ("Campaign of simulations by limbtrace", CampaignDocument),
    "limbtrace-signoff-1.schema.json": ("Sign-off of a limbtrace core", SignoffDocument),
    "limbtrace-domain-1.schema.json": ("Moduli for which a limbtrace core is right", DomainDocument),
    "limbtrace-proof-1.schema.json": ("Proof of a limbtrace core", ProofDocument),
    "limbtrace-proof-check-1.schema.json": ("Check of a certificate of a limbtrace proof", CheckDocument),
    "limbtrace-reach-1.schema.json": ("Whether an event of a limbtrace model can happen", ReachDocument),
    "limbtrace-timing-1.schema.json": ("Whether the time of a limbtrace core depends on data", TimingDocument),
    "limbtrace-certificate-1.schema.json": ("Certificate of limbtrace", Certificate),
}
"""Title and type behind each file name."""


def generate(name: str) -> str:
    """The text of a schema, generated from its type."""
    title, document = SCHEMAS[name]
    schema = {**adapter(document).json_schema(), "$schema": DRAFT, "$id": name, "title": title}
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def published(name: str) -> str:
    """The text of a published schema. Raises KeyError for another name."""
    if name not in SCHEMAS:
        raise KeyError(name)
    return (files(__name__) / name).read_text()
