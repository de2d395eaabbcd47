# SPDX-License-Identifier: Apache-2.0
"""Flows with other tools: exports, areas, lint, reports."""
