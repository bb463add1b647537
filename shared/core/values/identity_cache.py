"""A cache of the results of a function for large immutable values, which are found by identity."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

_Given = TypeVar("_Given")
_Result = TypeVar("_Result")


def cache_by_identity(size: int) -> Callable[[Callable[[_Given], _Result]], Callable[[_Given], _Result]]:
    """Return a decorator that keeps the results of a function for the last ``size`` values that it was called with.

    The value must never change. Equal values are different here: to compare a ruleset or to hash it takes as long as many a
    function of it. A kept value stays in memory, so its ID belongs to no other value.
    """

    def decorate(function: Callable[[_Given], _Result]) -> Callable[[_Given], _Result]:
        kept: dict[int, tuple[Any, _Result]] = {}

        @wraps(function)
        def cached(value: _Given) -> _Result:
            found = kept.get(id(value))
            if found is not None:
                return found[1]
            result = function(value)
            while len(kept) >= size:
                try:
                    kept.pop(next(iter(kept)), None)
                except (StopIteration, RuntimeError):  # another thread made room meanwhile
                    break
            kept[id(value)] = (value, result)
            return result

        return cached

    return decorate
