# SPDX-License-Identifier: Apache-2.0
"""A simulation, from what was asked for to the report."""
