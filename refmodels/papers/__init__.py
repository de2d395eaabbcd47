# SPDX-License-Identifier: Apache-2.0
"""A folder for each paper: its algorithms, architectures, errata and figures. No paper imports another."""
