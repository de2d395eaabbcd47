# SPDX-License-Identifier: Apache-2.0
"""Code coverage: which lines, branches, expressions and bits of a core's own RTL its simulations reach."""
