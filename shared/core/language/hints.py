"""The types of a dataclass's fields, looked up once: Python evaluates the annotations anew for whoever asks."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

hints_of: Callable[[type], Mapping[str, Any]] = cache(get_type_hints)
"""Name of each field of a class, inherited ones too -> its type."""
