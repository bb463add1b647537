"""The position that an SGF file sets up before the first move (stones, a handicap, the side to move), and its nodes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sgfmill import sgf_grammar, sgf_properties

from services.games.files.game_file import Spot, StatedFact, Unreadable
from services.games.files.sgf.sgf_dialects import COLOURS, Dialect
from shared.core.language.messages import say
from shared.core.terms import Side

Properties = dict[str, list[bytes]]

SETUP = ("AB", "AW", "AE", "PL", "HA")
"""The properties that set up a position."""
COLOURED: dict[str, Side] = {"b": "black", "w": "white", "黑": "black", "白": "white"}
"""A side by the first letter of its name in a file."""
_KOMI = re.compile(r"-?[0-9]{1,3}(?:\.(?:0|00|5|50))?", re.ASCII)


class Node(NamedTuple):
    """A node of the main line, with the variations that begin after it.

    ``named``: the places of its properties, known only for the root.
    """

    properties: Properties
    spot: Spot
    beside: Sequence[sgf_grammar.Coarse_game_tree]
    named: Mapping[str, Spot]

    def spot_of(self, name: str) -> Spot:
        """Return the place of the property, or the place of the node if the former is unknown."""
        return self.named.get(name, self.spot)

    def text(self, name: str) -> str:
        return self.properties[name][0].decode()

    @property
    def colour(self) -> str | None:
        """The colour of its move, as SGF writes it, or None without a move."""
        return next((name for name in ("B", "W") if name in self.properties), None)


@dataclass(slots=True)
class _Stones:
    """The position set up by the nodes before the first move: stones, number of a handicap, and the side to move."""

    black: set[tuple[int, int]] = field(default_factory=set)
    white: set[tuple[int, int]] = field(default_factory=set)
    handicap: str = ""
    first: Side | None = None
    said: StatedFact | None = None
    emptied: bool = False

    def add(self, node: Node, game: Dialect) -> None:
        said = [name for name in SETUP if name in node.properties]
        black, white, empty = (_points(node, name, game) for name in ("AB", "AW", "AE"))
        self.black = self.black - white - empty | black
        self.white = self.white - black - empty | white
        self.emptied = self.emptied or "AE" in said
        self.handicap = node.text("HA").strip() if "HA" in said else self.handicap
        self.first = side_named(node) if "PL" in said else self.first
        if said and self.said is None:
            self.said = StatedFact(said[0], "", node.spot_of(said[0]))

    @property
    def by_number(self) -> bool:
        """Whether a handicap of stones is given."""
        return self.handicap not in ("0", "1", "")


def setup_of(nodes: Sequence[Node], mover: str | None, game: Dialect) -> StatedFact | None:
    """Return the position before the first move, in SGF's words with our names of points (``AB D4 Q16 PL W HA 2``).

    Return None if the stones are those of the ruleset's handicap, or if nothing is set up. ``mover``: the colour of the
    first move. Raises `Unreadable` if that handicap is not set up.
    """
    stones, root = _Stones(), nodes[0]
    for node in nodes:
        stones.add(node, game)
    black, white, first = stones.black, stones.white, stones.first
    if game.handicap and not white and sorted(black) == sorted(game.handicap) and first in (None, game.first):
        return None
    if game.handicap:
        why = say("AB must set up the {number} handicap stones of the ruleset", number=len(game.handicap))
        raise Unreadable(why, root.spot)
    empty = not black and not white
    if stones.said is None or (empty and not stones.by_number and not stones.emptied and first in (None, game.first)):
        return None
    words = [f"AB {_names(black, game)}"] * bool(black) + [f"AW {_names(white, game)}"] * bool(white)
    if stones.by_number:
        words.append(f"HA {stones.handicap}")
        first = first or "white"
    elif first is None and not empty and mover is not None:
        first = COLOURED[mover.lower()]
    if first is not None or not white:
        words.append(f"PL {COLOURS[first or game.first].upper()}")
    komi = root.text("KM").strip() if "KM" in root.properties else ""
    if _KOMI.fullmatch(komi) and float(komi) != game.root.get("KM"):
        words.append(f"KM {float(komi):g}")
    return stones.said._replace(value=" ".join(words))


def _names(points: set[tuple[int, int]], game: Dialect) -> str:
    return " ".join(game.name(*point) for point in sorted(points))


def side_named(node: Node) -> Side:
    """Return the side to move according to PL. Raises `Unreadable`."""
    side = COLOURED.get(node.text("PL").strip().lower()[:1])
    if side is None:
        raise Unreadable(say("PL must be B or W, not {value}", value=repr(node.text("PL")[:20])), node.spot_of("PL"))
    return side


def _points(node: Node, name: str, game: Dialect) -> set[tuple[int, int]]:
    values = node.properties.get(name)
    if values is None:
        return set()
    values = list(dict.fromkeys(values))
    if len(values) > game.size**2:  # a value may be a rectangle, so that many of them would take many seconds
        raise Unreadable(say("{name} names more points than the board has", name=name), node.spot_of(name))
    try:
        points: set[tuple[int, int]] = sgf_properties.Presenter(game.size, "UTF-8").interpret(name, values)
    except ValueError:
        raise Unreadable(
            say("{name} contains a point that is not on this board", name=name), node.spot_of(name)
        ) from None
    return points
