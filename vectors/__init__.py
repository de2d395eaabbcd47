# SPDX-License-Identifier: Apache-2.0
"""What to multiply and how to write it down: generators, cases, traces, formats, verdicts, client, command line."""
