# SPDX-License-Identifier: Apache-2.0
"""The figures that the papers print, one CSV file a paper, and what becomes of each when it is worked out anew.

A row of such a file is a fact: paper, table, design, bits of the modulus, k, metric, unit, and the value as printed.
"""
