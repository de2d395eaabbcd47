# SPDX-License-Identifier: Apache-2.0
"""Proofs that cores agree with their models for all operands."""
