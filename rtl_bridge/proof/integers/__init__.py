# SPDX-License-Identifier: Apache-2.0
"""Proofs of a result at real widths: terms read as polynomials over the integers, with ranges and residues."""
