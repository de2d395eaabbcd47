# SPDX-License-Identifier: Apache-2.0
"""Programs of the repository that no user installs: benchmarks, the demo, the site."""
