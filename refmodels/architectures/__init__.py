# SPDX-License-Identifier: Apache-2.0
"""One architecture, one file."""
