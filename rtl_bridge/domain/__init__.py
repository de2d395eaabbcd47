# SPDX-License-Identifier: Apache-2.0
"""`limbtrace domain`: for which moduli a core is right, as a condition."""
