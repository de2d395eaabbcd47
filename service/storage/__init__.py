# SPDX-License-Identifier: Apache-2.0
"""The database: sets, certificates, tokens, sessions, reports."""
