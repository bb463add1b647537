"""The engines at hand. The version is part of every pairing that one makes: it is decided again only by the same."""

from importlib.metadata import version

from shared.core.events import Engine

GACRUX = Engine("gacrux", version("gacrux"))
RUSTWORKX = Engine("rustworkx", version("rustworkx"))
TABLES = Engine("tables", "1")
"""What needs no engine: pairing tables, groups, brackets. Their edition, raised where the same input pairs otherwise."""
