"""What a dishonest house can write unnoticed, and why nobody could check it; `python -m tests.attacks.holes` makes the page."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("holes.toml")
PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "what-nobody-can-check.md"
HEAD = """# What nobody can check

This page is for auditors. An operator with the database and all keys can write these values freely, if all later events
are rebuilt and signed again. Each value enters the log from outside, and no other event contradicts it. A test alters each
value of each event type in several ways, and `arbiter verify` finds every change that is not listed here. A checkpoint, a
receipt or a printed digest that another party holds shows that any event was altered. This page lists what remains if no
other party holds one. `make docs` writes it from `tests/attacks/holes.toml`.
"""


@dataclass(frozen=True)
class Hole:
    """Why some values cannot be checked; ``data`` by type without version, ``envelope`` on lines of any type.

    ``by_chance``: it passes or not as lots fall.
    """

    why: str
    data: dict[str, list[str]]
    envelope: tuple[str, ...] = ()
    by_chance: bool = False


def holes() -> list[Hole]:
    rows = tomllib.loads(TABLE.read_text("utf-8"))["holes"]
    return [Hole(r["why"], r.get("data", {}), tuple(r.get("envelope", ())), r.get("by_chance", False)) for r in rows]


def page() -> str:
    """The page in Markdown."""
    parts = [HEAD]
    for hole in holes():
        parts.append(f"## {hole.why}\n")
        if hole.envelope:
            parts.append("On every line: " + ", ".join(f"`{name}`" for name in hole.envelope) + "\n")
        if hole.data:
            rows = [
                f"| `{of}` | {', '.join(f'`{name}`' for name in names)} |" for of, names in sorted(hole.data.items())
            ]
            parts.append("\n".join(["| event type | values |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
