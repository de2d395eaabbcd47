# SPDX-License-Identifier: Apache-2.0
"""What leaves the house: exports, areas, lint, reports of other tools."""
