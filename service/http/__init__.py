# SPDX-License-Identifier: Apache-2.0
"""HTTP: connections, access, queries, bodies, problems, OpenAPI, metrics."""
