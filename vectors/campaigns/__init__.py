# SPDX-License-Identifier: Apache-2.0
"""The document of a campaign of simulations."""

from limbtrace.vectors.campaigns.document import (
    CampaignBucket,
    CampaignCell,
    CampaignCoverage,
    CampaignDocument,
    End,
    ShardAside,
    ShrunkProduct,
)

__all__ = [
    "CampaignBucket",
    "CampaignCell",
    "CampaignCoverage",
    "CampaignDocument",
    "End",
    "ShardAside",
    "ShrunkProduct",
]
