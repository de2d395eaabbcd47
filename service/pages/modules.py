# SPDX-License-Identifier: Apache-2.0
"""All pages, for the app."""

from service.pages import assets, home, lists, models, reference, trace

MODULES = (home, trace, lists, models, reference, assets)
