# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init`: a first core.toml from RTL."""
