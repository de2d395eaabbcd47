# SPDX-License-Identifier: Apache-2.0
"""Numbers only: algorithms, architectures, representations and the prime catalogue.

`MODELS` and `ARCHITECTURES` (in `refmodels.registry`) are the entry points; nothing here does input or output.
"""
