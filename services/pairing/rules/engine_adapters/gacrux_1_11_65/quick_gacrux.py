"""gacrux's own classes, and faster versions of them: a compiled matching, and smaller weights.

Their decisions are the same: `tests/pairings` pairs recorded rounds with both.
"""

from collections.abc import Mapping
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

from . import compiled_matching
from .quick_pairing import quick_pairing
from .quick_table import quick_table

Classes = tuple[type[Any], type[Any]]
"""gacrux's cross table and its pairing."""


@cache
def plain_classes() -> Classes:
    # Imported late: the matching library is heavy, and most commands pair nothing.
    from gacrux.crosstabledutch import crosstable_dutch
    from gacrux.pairingdutch import pairing_dutch

    return crosstable_dutch, pairing_dutch


@cache
def quick_classes() -> Classes:
    """Return faster versions of the engine's two classes, the cross table and the pairing.

    They use a compiled matching instead of the library networkx. The members of gacrux's enumerations are replaced by plain
    objects, whose attributes are read faster.
    """
    from gacrux.crosstabledutch import flt, qdefs

    table, pairing = plain_classes()
    members = {"qdefs": _Members(qdefs), "flt": _Members(flt)}
    return quick_table(_rebound(table, members)), quick_pairing(_rebound(pairing, members | {"nx": compiled_matching}))


def _rebound(cls: type[Any], names: Mapping[str, object]) -> type[Any]:
    """Return a subclass of ``cls`` whose methods use the objects in ``names`` in place of their module's globals."""
    methods = {
        name: FunctionType(f.__code__, {**f.__globals__, **names}, name, f.__defaults__, f.__closure__)
        for name, f in vars(cls).items()
        if isinstance(f, FunctionType)
    }
    return type(cls.__name__, (cls,), methods)


class _Members(SimpleNamespace):
    """An enumeration's members as plain records.

    They are found by name, by value and by iteration, eight times as fast.
    """

    def __init__(self, members: Any) -> None:
        own = {member: SimpleNamespace(name=member.name, value=member.value) for member in members}
        super().__init__(**{name: own[member] for name, member in members.__members__.items()})
        self._all = list(own.values())
        self._by_value = {one.value: one for one in self._all}

    def __iter__(self) -> Any:
        return iter(self._all)

    def __call__(self, value: int) -> Any:
        return self._by_value[value]
