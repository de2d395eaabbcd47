# SPDX-License-Identifier: Apache-2.0
"""Sign-off of a core: all that applies to it, in one campaign with its proof, and what none of it tried."""
