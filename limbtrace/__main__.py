# SPDX-License-Identifier: Apache-2.0
"""`python -m limbtrace`: the command line."""

from vectors.entry import main

main()
