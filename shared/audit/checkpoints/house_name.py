"""The name of an installation, used in its checkpoints and as the issuer of its tokens."""

import os
from collections.abc import Mapping
from pathlib import Path

from shared.core.trust.checkpoint_origin import DEFAULT_NAME, is_installation_name

NAME = "arbiter.name"


class BadName(ValueError):
    """An invalid or unreadable name of an installation. The text says where it was found."""


def house_name(data: Path, environment: Mapping[str, str] = os.environ) -> str:
    """Return the installation's name, for its checkpoints and tokens. Raises `BadName`.

    It is ``ARBITER_NAME`` in the ``environment``, else the contents of ``arbiter.name`` in the folder ``data``, else ``arbiter``.
    """
    where, name = "ARBITER_NAME", environment.get("ARBITER_NAME", "").strip()
    if not name:
        path = data / NAME
        try:
            where, name = str(path), path.read_text("utf-8").strip() or DEFAULT_NAME
        except FileNotFoundError:
            return DEFAULT_NAME
        except (OSError, UnicodeDecodeError) as problem:
            raise BadName(f"{path} cannot be read: {problem}") from None
    if not is_installation_name(name):
        raise BadName(
            f"{where}: {name!r} is not a valid operator name: use an address without scheme, space and plus, such as club.example"
        )
    return name
