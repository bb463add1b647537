"""Members of bodies and queries that have a new name. The former name stays for this major version."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, post_load, validates_schema

from shared.core.language.messages import say


def deprecated(new: str) -> dict[str, Any]:
    """Return the OpenAPI metadata of a member whose new name is ``new``."""
    return {"deprecated": True, "description": f"Deprecated: use `{new}`."}


class RenamedMembers(Schema):
    """A schema with members that have two names (``RENAMED``: new -> former). Loaded, a value has its former name."""

    RENAMED: ClassVar[Mapping[str, str]] = {}

    @validates_schema(skip_on_field_errors=False)
    def _agree(self, data: dict[str, Any], **kwargs: Any) -> None:
        for new, former in self.RENAMED.items():
            sent, before = data.get(new), data.get(former)
            if sent is not None and before not in (None, sent):
                raise ValidationError([say("{new} and {former} differ: send {new} only", new=new, former=former)], new)

    @post_load
    def _under_former_names(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        sent = {former: data[new] for new, former in self.RENAMED.items() if data.get(new) is not None}
        return {name: value for name, value in data.items() if name not in self.RENAMED} | sent
