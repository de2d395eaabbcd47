# SPDX-License-Identifier: Apache-2.0
"""The generated HDL that gives every core the same interface to the testbenches."""
