# SPDX-License-Identifier: Apache-2.0
"""The mutant bank: cores with faults that designers make, and how many of them each kind of operands finds."""
