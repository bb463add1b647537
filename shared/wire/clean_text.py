"""Text that everything takes alike: NUL and lone surrogates are none, to databases, hashes and pages."""

import re
from collections.abc import Mapping
from typing import Any

UNCLEAN = "holds NUL or a lone surrogate"
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


def unclean_at(value: Any) -> tuple[str, ...] | None:
    """Where the first text that is none stands in objects and lists: the names and places that lead there; None: nowhere.

    A name that is no text stands where its object does.
    """
    if isinstance(value, str):
        return () if _NO_TEXT.search(value) else None
    if isinstance(value, Mapping):
        for name, one in value.items():
            if unclean_at(name) is not None:
                return ()
            within = unclean_at(one)
            if within is not None:
                return (str(name), *within)
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            within = unclean_at(one)
            if within is not None:
                return (str(place), *within)
    return None
