# SPDX-License-Identifier: Apache-2.0
"""The designs of a core, the costs of each, and the Pareto front."""

from limbtrace.vectors.designs.explore import FAMILY, DesignQuery, Exploration, designs_document, routing, synthesis
from limbtrace.vectors.designs.formats import FORMATS, render

__all__ = ["FAMILY", "FORMATS", "DesignQuery", "Exploration", "designs_document", "render", "routing", "synthesis"]
