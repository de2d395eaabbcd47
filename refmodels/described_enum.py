# SPDX-License-Identifier: Apache-2.0
"""Names that each have a meaning."""

from enum import StrEnum


class DescribedEnum(StrEnum):
    """Members are written as (name, meaning), and are their names."""

    meaning: str
    """In a sentence."""

    def __new__(cls, value: str, meaning: str) -> "DescribedEnum":
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member
