"""The vectors: the files of each one, made from the event and its edits."""

import tomllib
import zipfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from tests.verifiers.event import files, forms, pack, unpack
from tests.verifiers.programs import Case, CaseVerdict

TABLES = ("vectors.toml", "vectors_witnesses.toml", "vectors_former.toml")


class Vector(NamedTuple):
    """A case and its verdict: of the command, of the page, and of the Go program."""

    name: str
    case: Case
    verdict: CaseVerdict
    page: CaseVerdict
    go: CaseVerdict


def vectors() -> Iterator[Vector]:
    """Yield the vectors of the tables, and an archive of every form that is not accepted."""
    for row in chain.from_iterable(map(_rows, TABLES)):
        case = {name: files()[name] for name in row["given"]}
        for edit in row.get("edits", ()):
            name, _, member = edit["of"].partition(":")
            case[name] = _in_archive(case[name], member, edit) if member else edited(case[name], edit)
        others = row.get("others", row["verdict"])
        yield Vector(row["name"], case, row["verdict"], row.get("page", others), row.get("go", others))
    for name, content in forms(files()["event.zip"]).items():
        yield Vector(f"a ZIP file with {name}", {"event.zip": content}, *["unreadable"] * 3)


def _rows(table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / table).read_text(encoding="utf-8"))["vector"]
    return rows


def _in_archive(archive: bytes, member: str, edit: dict[str, Any]) -> bytes:
    members = unpack(archive)
    if edit.get("drop") and "line" not in edit:
        del members[member]
    else:
        members[member] = edited(members.get(member, b""), edit)
    return pack(members)


def edited(content: bytes, edit: dict[str, Any]) -> bytes:
    """Return a file's content after an edit of the table. Raises AssertionError if it changes nothing."""
    text = edit.get("content", "").encode()
    if edit.get("form") == "stored":
        return pack(unpack(content), zipfile.ZIP_STORED)
    if "line" in edit:
        lines = content.split(b"\n")
        number = edit["line"] - 1 if edit["line"] > 0 else len(lines) - 1 + edit["line"]
        after = b"\n".join([*lines[:number], *([] if edit.get("drop") else [text]), *lines[number + 1 :]])
    elif "from" in edit:
        after = content.replace(edit["from"].encode(), edit["to"].encode(), 1)
    elif "cut" in edit:
        after = content[: -edit["cut"]]
    elif "content" in edit:
        after = text
    else:
        after = edit.get("prepend", "").encode() + content + edit.get("append", "").encode()
    assert after != content, edit
    return after
