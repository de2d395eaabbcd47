# SPDX-License-Identifier: Apache-2.0
"""A checker for certificates of proofs, which shares no code with what makes the proofs."""
