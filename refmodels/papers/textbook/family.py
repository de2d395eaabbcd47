# SPDX-License-Identifier: Apache-2.0
"""Sources of the models that promise a result alone."""

from limbtrace.refmodels.model import Source

KNUTH = Source("D. E. Knuth", "The Art of Computer Programming, volume 2, third edition", "section 4.3.1")
"""Quotient and remainder, q = floor(t/p) and t = q*p + r with 0 <= r < p."""
MONTGOMERY = Source(
    "P. L. Montgomery", "Modular multiplication without trial division, Mathematics of Computation 44 (1985)", "REDC"
)
