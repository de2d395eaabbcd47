# SPDX-License-Identifier: Apache-2.0
"""Requests and documents: generators, cases, traces, formats, verdicts, client, command line."""
