# SPDX-License-Identifier: Apache-2.0
"""A core as its core.toml describes it, and as it is for one modulus."""
