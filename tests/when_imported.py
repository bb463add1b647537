"""Changes to a module of others that are made when it is imported, so that a test file imports only what it uses."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

Change = Callable[[Any], None]
_CHANGES: dict[str, Change] = {}


def when_imported(name: str, change: Change) -> None:
    """Call ``change`` with the module of that name: now if it is imported already, and as soon as it is imported if not."""
    if name in sys.modules:
        change(sys.modules[name])
    else:
        _CHANGES[name] = change


class _Changed(Loader):
    """The module's own loader, and then the change."""

    def __init__(self, own: Loader, change: Change) -> None:
        self._own, self._change = own, change

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._own  # it reads the source of the module for tracebacks
        self._own.exec_module(module)
        self._change(module)


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        change = _CHANGES.pop(name, None)
        found = find_spec(name) if change else None
        if change and found and found.loader:
            found.loader = _Changed(found.loader, change)
        return found


sys.meta_path.insert(0, _Finder())
