# SPDX-License-Identifier: Apache-2.0
"""How a room offers names of its modules without loading all of them."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(package: str, **modules: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package; `modules` are the names that each module of the package has, with blanks between.

    A module is loaded when one of its names is first asked for, and the name is the package's own from then on.
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{places[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return find
