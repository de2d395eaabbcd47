# SPDX-License-Identifier: Apache-2.0
"""A core bound to a multiplier: parameters, formulas, and checks of the description against the design."""
