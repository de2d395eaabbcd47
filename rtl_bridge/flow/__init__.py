# SPDX-License-Identifier: Apache-2.0
"""Flows with other tools: exports, lint, constructs that tools reject; doctor, explain, explore, identify."""
