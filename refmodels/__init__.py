# SPDX-License-Identifier: Apache-2.0
"""Models without input or output: algorithms, architectures, representations and the prime catalogue.

`MODELS` and `ARCHITECTURES` (in `limbtrace.refmodels.registry`) are the entry points.
"""
