# SPDX-License-Identifier: Apache-2.0
"""Ports of modules and of designs."""
