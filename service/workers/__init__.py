# SPDX-License-Identifier: Apache-2.0
"""Processes that compute requests and can be ended: a pool of them, and turns that share them fairly."""
