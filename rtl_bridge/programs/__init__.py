# SPDX-License-Identifier: Apache-2.0
"""Running tools: in a process that ends with ours, in a sandbox if that is asked for."""
