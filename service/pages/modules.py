# SPDX-License-Identifier: Apache-2.0
"""All pages, for the app."""

from limbtrace.service.pages import assets, check, cycles, designs, home, lists, models, reference, reports, trace

MODULES = (home, trace, cycles, designs, check, reports, lists, models, reference, assets)
