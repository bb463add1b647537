"""Defaults of request members in OpenAPI, which their descriptions state.

A generator takes a member with a ``default`` for one that is always there: strict TypeScript would refuse a body without it.
"""

import json
from typing import Any


def state_defaults(document: dict[str, Any]) -> None:
    """Move each default of a request member into its description, and bound objects by their number of members.

    A default of null, or of no words of a parameter, only says that it may be omitted. The data of events, which keep their
    defaults, are only in responses.
    """
    for name, schema in document["components"]["schemas"].items():
        if not name.startswith("Log"):
            _state(schema)
    for path in document["paths"].values():
        for operation in path.values():
            for parameter in operation["parameters"]:
                if parameter["schema"].get("default", "") in (None, str(())):  # the library writes no words so
                    del parameter["schema"]["default"]


def _state(part: Any) -> None:
    if isinstance(part, dict):
        for member in part.get("properties", {}).values():
            if member.get("type") == "object" and "maxLength" in member:  # the library takes it for a text
                member["maxProperties"] = member.pop("maxLength")
            default = member.pop("default", None)
            described = member.get("description", "")
            if default is not None and "efault" not in described:
                member["description"] = f"{described} Default: `{json.dumps(default)}`.".strip()
        part = [*part.values()]
    if isinstance(part, list):
        for one in part:
            _state(one)
