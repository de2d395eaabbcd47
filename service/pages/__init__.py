# SPDX-License-Identifier: Apache-2.0
"""Pages for people: thin views over the functions behind the JSON routes, made on the server.

Every page is a GET form with its answer below, so that a link carries the whole request and nothing needs a script.
"""
