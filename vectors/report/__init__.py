# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations: their type, a strict reader, and a difference explained in the terms of the model."""

from limbtrace.vectors.report.document import ReportDocument
from limbtrace.vectors.report.read import MAX_BYTES, canonical, read, read_file, report_id

__all__ = ["MAX_BYTES", "ReportDocument", "canonical", "read", "read_file", "report_id"]
