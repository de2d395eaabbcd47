# SPDX-License-Identifier: Apache-2.0
"""Design spaces: one file a core."""
