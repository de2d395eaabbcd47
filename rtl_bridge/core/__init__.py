# SPDX-License-Identifier: Apache-2.0
"""A core: its folder, its core.toml and its files."""
