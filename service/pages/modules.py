# SPDX-License-Identifier: Apache-2.0
"""All pages, for the app."""

from service.pages import assets, check, cycles, designs, home, lists, models, reference, trace

MODULES = (home, trace, cycles, designs, check, lists, models, reference, assets)
