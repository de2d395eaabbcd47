# SPDX-License-Identifier: Apache-2.0
"""The one exception that means "the request was wrong"."""


class ParameterError(ValueError):
    """A parameter that cannot be served.

    `parameter` is its name on the wire, `reason` one clear sentence that gives the limit and the number that broke it.
    """

    def __init__(self, parameter: str, reason: str) -> None:
        reason = reason.encode(errors="backslashreplace").decode()  # quoted input may hold what no output takes
        super().__init__(f"{parameter}: {reason}")
        self.parameter = parameter
        self.reason = reason
