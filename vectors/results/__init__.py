# SPDX-License-Identifier: Apache-2.0
"""Results of one's own, to be compared with the golden ones."""
