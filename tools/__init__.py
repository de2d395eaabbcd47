# SPDX-License-Identifier: Apache-2.0
"""Programs of the repository that are no part of the product."""
