"""What a dishonest house can write unnoticed, and why nobody could check it; `python -m tests.attacks.holes` makes the page."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("holes.toml")
PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "what-nobody-can-check.md"
CHINESE_PAGE = PAGE.with_name("what-nobody-can-check.zh-CN.md")
HEAD = """# What nobody can check

[中文](what-nobody-can-check.zh-CN.md)

This page is for auditors. An operator with the database and all keys can write these values freely, if all later events
are rebuilt and signed again. Each value enters the log from outside, and no other event contradicts it. A test alters each
value of each event type in several ways, and `arbiter verify` finds every change that is not listed here. A checkpoint, a
receipt or a printed digest that another party holds shows that any event was altered. This page lists what remains if no
other party holds one. `make docs` writes it from `tests/attacks/holes.toml`.
"""

CHINESE_HEAD = """# 无法核对的内容

[English](what-nobody-can-check.md)

本页供审计员使用。运维方持有数据库和全部密钥时，只要把其后的事件全部重建并重新签名，就可以任意填写下列数值。这些数值都来自日志
之外，没有其他事件与之矛盾。有一项测试以多种方式改动每种事件的每个数值；凡未列在此处的改动，`arbiter verify` 都能发现。由他人
保存的检查点、回执或打印的防伪码，可以证明任何事件曾被改动。本页列出的，是没有他人保存时仍无法核对的内容。本页由 `make docs`
根据 `tests/attacks/holes.toml` 写成。
"""
LABELS = {"en": ("On every line: ", ", ", "| event type | values |"), "zh": ("每个事件：", "、", "| 事件类型 | 数值 |")}
"""Language -> the words around the values, and the comma between them."""


@dataclass(frozen=True)
class Hole:
    """Why some values cannot be checked; ``data`` by type without version, ``envelope`` on lines of any type.

    ``by_chance``: it passes or not as lots fall.
    """

    why: str
    why_in_chinese: str
    data: dict[str, list[str]]
    envelope: tuple[str, ...] = ()
    by_chance: bool = False


def holes() -> list[Hole]:
    rows = tomllib.loads(TABLE.read_text("utf-8"))["holes"]
    return [
        Hole(r["why"], r["why_in_chinese"], r.get("data", {}), tuple(r.get("envelope", ())), r.get("by_chance", False))
        for r in rows
    ]


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join((HEAD, *(part for hole in holes() for part in _section(hole, hole.why, "en"))))


def chinese_page() -> str:
    """Return the page in Chinese."""
    return "\n".join((CHINESE_HEAD, *(part for hole in holes() for part in _section(hole, hole.why_in_chinese, "zh"))))


def _section(hole: Hole, why: str, language: str) -> Iterator[str]:
    every, comma, head = LABELS[language]
    yield f"## {why}\n"
    if hole.envelope:
        yield every + comma.join(f"`{name}`" for name in hole.envelope) + "\n"
    if hole.data:
        rows = [f"| `{of}` | {comma.join(f'`{name}`' for name in names)} |" for of, names in sorted(hole.data.items())]
        yield "\n".join([head, "|---|---|", *rows]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    CHINESE_PAGE.write_text(chinese_page(), encoding="utf-8")
