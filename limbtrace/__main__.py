# SPDX-License-Identifier: Apache-2.0
"""`python -m limbtrace`: the command line."""

from limbtrace.vectors.entry import main

main()
