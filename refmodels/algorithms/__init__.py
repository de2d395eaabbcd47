# SPDX-License-Identifier: Apache-2.0
"""One algorithm, one file, in the symbols of its paper."""
