# SPDX-License-Identifier: Apache-2.0
"""`core.toml`: its tables, formulas and constants."""
