# SPDX-License-Identifier: Apache-2.0
"""Programs for development, which are not installed: benchmarks, the demo, the site."""
