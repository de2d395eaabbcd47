# SPDX-License-Identifier: Apache-2.0
"""`core.toml`: its tables and formulas, and the text of a generated one."""
