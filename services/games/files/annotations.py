"""What a sheet keeps of a file beside the moves: one text in JSON, by the number of moves before each item."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from services.games.files.game_file import Annotations
from services.games.responses import GameView
from services.games.rules.boards.registry import PLACING_STEPS
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import MovePlayed, StepTaken
from shared.desk.desk import Desk

Items = dict[int, Any]


def text_of(annotations: Annotations) -> str:
    """The text that is kept; empty for nothing."""
    return json.dumps(annotations, ensure_ascii=False, separators=(",", ":")) if annotations else ""


def kept_text(desk: Desk, sheet: Sheet) -> str:
    """The text that a sheet has; empty for none, and for one that was erased."""
    if sheet.annotations is None:
        return ""
    text = desk.texts([sheet.annotations.text]).get(sheet.annotations.text)
    return "" if text is None else text.text


def kept(desk: Desk, one: GameView) -> Annotations:
    """What is kept of the moves that still stand as they were annotated."""
    text = kept_text(desk, one.sheet)
    if not text:
        return {}
    annotations: dict[str, Any] = json.loads(text)
    limit = _stones(one.sheet)
    if limit is None:
        return annotations
    for name in {"plies", "nodes", "trees"} & annotations.keys():
        annotations[name] = {n: item for n, item in annotations[name].items() if int(n) <= limit}
    return annotations


def new_text(found: Annotations, stands: Annotations, own: Collection[str]) -> str:
    """The text of what a file says beside the moves; empty where it ``stands`` so, or where it is what our own file says, in
    which the tags or root properties ``own`` are the tournament's."""
    if not found or found == stands:
        return ""
    written = without_tags(stands, dict.fromkeys(own), by_name=True)
    written = without_nodes(written, lambda n: dict.fromkeys(own if n == 0 else ()), by_name=True)
    told, known = (dict(one) | {"tags": tags_of(one)} for one in (found, written))
    return "" if told == known else text_of(found)


def by_number(annotations: Annotations, name: str) -> Items:
    """The items of one kind by the number of moves before them."""
    items = annotations.get(name, {})
    return {int(n): item for n, item in items.items()} if isinstance(items, Mapping) else {}


def without_tags(annotations: Annotations, own: Mapping[str, str | None], *, by_name: bool = False) -> Annotations:
    """The annotations but for the tags that the tournament's own sheet has with the same value, or at all ``by_name``."""
    rest = dict(annotations)
    tags = [
        [name, value] for name, value in _pairs(annotations) if name not in own or not (by_name or own[name] == value)
    ]
    rest.pop("tags", None)
    return ({"tags": tags} if tags else {}) | rest


def without_nodes(
    annotations: Annotations, own: Callable[[int], Mapping[str, Sequence[str] | None]], *, by_name: bool = False
) -> Annotations:
    """The annotations but for the properties that our own file has at the same move, with the same values or ``by_name``."""
    rest, nodes = dict(annotations), {}
    for n, group in by_number(annotations, "nodes").items():
        mine = own(n)
        first = {k: values for k, values in group[0].items() if k not in mine or not (by_name or mine[k] == values)}
        if first or len(group) > 1:
            nodes[str(n)] = [first, *group[1:]]
    rest.pop("nodes", None)
    return ({"nodes": nodes} if nodes else {}) | rest


def tags_of(annotations: Annotations) -> dict[str, str]:
    """The tags that are kept of a PGN file, in its order."""
    return dict(_pairs(annotations))


def _pairs(annotations: Annotations) -> list[tuple[str, str]]:
    tags = annotations.get("tags", ())
    return [(name, value) for name, value in tags] if isinstance(tags, list) else []


def _stones(sheet: Sheet) -> int | None:
    """How many moves and stones stand as they were when the file came; None: all."""
    if sheet.annotated is None:
        return None
    return sum(
        line.ply <= sheet.annotated
        and (isinstance(line, MovePlayed) or (isinstance(line, StepTaken) and line.step in PLACING_STEPS))
        for line in sheet.entries
    )
