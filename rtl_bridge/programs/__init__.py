# SPDX-License-Identifier: Apache-2.0
"""How tools are run: in a process that ends with ours, in a sandbox where that is asked for."""
