# SPDX-License-Identifier: Apache-2.0
"""A core as described by its core.toml, and bound to one modulus."""
