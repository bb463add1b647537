"""Three of four generated addresses name what there is, so that more than 404 is asked for."""

from typing import Any
from zlib import crc32

import schemathesis

KNOWN = {"t": "T", "g": "T.1.1", "n": 1, "seq": 3, "p": 2, "r": "r1"}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """A good ETag is sent with its quotes, which schemathesis takes for those of JSON."""
    negative = case.meta is not None and case.meta.generation.mode.is_negative
    if not negative and case.headers and case.headers.get("If-Match") == "0":
        case.headers["If-Match"] = '"0"'


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    for name, known in KNOWN.items():
        generated = (path_parameters or {}).get(name)
        fits = isinstance(known, str) or str(generated).isdigit()  # what is to be refused for its type stays so
        if generated is not None and fits and crc32(str(generated).encode()) % 4:
            path_parameters[name] = known
    return path_parameters
