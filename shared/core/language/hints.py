"""The types of a dataclass's fields, looked up only once, because Python evaluates the annotations at each call."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

field_types: Callable[[type], Mapping[str, Any]] = cache(get_type_hints)
"""Return the type of each field of a class by name, including inherited fields."""
