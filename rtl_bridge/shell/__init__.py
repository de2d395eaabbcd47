# SPDX-License-Identifier: Apache-2.0
"""The generated HDL that makes every core look alike to the testbenches."""
