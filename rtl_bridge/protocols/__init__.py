# SPDX-License-Identifier: Apache-2.0
"""How operands and results change hands, one file for each protocol."""
