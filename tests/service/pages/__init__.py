# SPDX-License-Identifier: Apache-2.0
"""Pages, as text and in a real browser."""
