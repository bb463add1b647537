"""Sentences with code, as the OpenAPI document and the table of problems write them, as HTML."""

import re
from collections.abc import Mapping

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def coded(text: str, links: Mapping[str, str] | None = None) -> Markup:
    """Return a sentence with its words in backquotes as code. ``links``: word -> the address that it leads to."""
    parts = []
    for n, part in enumerate(_CODE.split(text)):
        code = f"<code>{escape(part)}</code>" if n % 2 else str(escape(part))
        link = links.get(part) if links and n % 2 else None
        parts.append(f'<a href="{escape(link)}">{code}</a>' if link else code)
    return Markup("".join(parts))  # noqa: S704  # every part is escaped above
