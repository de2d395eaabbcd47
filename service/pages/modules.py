# SPDX-License-Identifier: Apache-2.0
"""All pages, for the app."""

from limbtrace.service.http import assets
from limbtrace.service.pages import check, cycles, designs, home, lists, models, reference, reports, trace

MODULES = (home, trace, cycles, designs, check, reports, lists, models, reference, assets)
