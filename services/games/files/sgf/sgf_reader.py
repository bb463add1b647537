"""One game of an SGF file: its main line as moves, and all its other properties and its variations as annotations."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sgfmill import sgf_grammar, sgf_properties

from services.games.files.game_file import (
    FileMove,
    GameFile,
    StatedFact,
    StatedResult,
    Unreadable,
    check_length,
    choose,
)
from services.games.files.sgf.sgf_dialects import COLOURS, Dialect
from services.games.files.sgf.sgf_setup import COLOURED, SETUP, Node, setup_of, side_named
from services.games.files.sgf.sgf_tree import SgfTree, escaped, text_of, trees
from shared.core.language.charset import Encoding
from shared.core.language.messages import say
from shared.core.terms import Seconds, Side, other

_ROOT_USED = ("FF", "CA", "GM", "SZ", "AB", "AW", "HA", "PL")
_SINGLE = ("B", "W", "BL", "WL", "SZ", "GM", "HA", "RE", "PL", "CA")
_FACTS = ("EV", "RO", "PB", "PW", "BT", "WT", "KM", "RU", "GC", "TM", "OT")
_SIZE = re.compile(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", re.ASCII)
_SECONDS = re.compile(r"\s*-?[0-9]{1,9}(\.[0-9]*)?\s*", re.ASCII)
_DRAWS = ("0", "draw", "jigo", "d", "和棋", "和局", "和")
_FORFEIT = re.compile(r"[BW]\+F(?:orfeit)?", re.IGNORECASE)
HEAD = "FILEHEAD"
"""The private property that stores the text before a game."""
_OPEN = ("", "?", "void", "??")


def read(content: bytes, game: Dialect, told: Encoding | None = None, number: int | None = None) -> GameFile:
    """Return the game of a file, or the one with this number (from 1) if it contains several. Raises `Unreadable`."""
    one = choose(trees(text_of(content, told)), number, lambda tree: tree.spots[0])
    nodes = list(_main_line(one))
    root = nodes[0]
    for node in nodes:
        for name in _SINGLE:
            if len(node.properties.get(name, ())) > 1:
                raise Unreadable(say("{name} has two values", name=name), node.spot)
    _check_board(root, game)
    begins = next((n for n, node in enumerate(nodes) if node.colour), len(nodes))
    before = nodes[: max(1, begins)]
    setup = setup_of(before, nodes[begins].colour if begins < len(nodes) else None, game)
    line = _Line(game, game.first if setup is None else "white" if "PL W" in setup.value else "black")
    for n, node in enumerate(nodes):
        line.take(node, _ROOT_USED if n == 0 else SETUP if n < len(before) else ())
    facts = [StatedFact(name, root.text(name), root.spot_of(name)) for name in _FACTS if name in root.properties]
    forfeit = not line.moves and "RE" in root.properties and _FORFEIT.fullmatch(root.text("RE").strip()) is not None
    moves, kept = tuple(line.moves), line.kept(one.head)
    return GameFile(moves, _result(root), setup, facts, kept, begins=root.spot, forfeit=forfeit)


def _main_line(one: SgfTree) -> Iterator[Node]:
    tree, spots, named = one.tree, iter(one.spots), one.root
    while True:
        last = len(tree.sequence) - 1
        for n, properties in enumerate(tree.sequence):
            yield Node(properties, next(spots), tree.children[1:] if n == last else (), named)
            named = {}
        if not tree.children:
            return
        tree = tree.children[0]


def _check_board(root: Node, game: Dialect) -> None:
    number = root.text("GM").strip() if "GM" in root.properties else str(game.number)
    if number != str(game.number):
        why = say(
            "the file is of a different game: GM is {number}, but must be {due}", number=number[:9], due=game.number
        )
        raise Unreadable(why, root.spot_of("GM"))
    size = _SIZE.fullmatch(root.text("SZ")) if "SZ" in root.properties else _SIZE.fullmatch("19")
    if size is None or size[2] not in (None, size[1]):
        raise Unreadable(
            say("SZ is {size}, but the board must be square", size=repr(root.text("SZ")[:20])), root.spot_of("SZ")
        )
    if int(size[1]) != game.size:
        why = say("the file has a board of {size} lines, but it must have {due}", size=int(size[1]), due=game.size)
        raise Unreadable(why, root.spot_of("SZ"))


def _result(root: Node) -> StatedResult | None:
    """Return the result in RE, or None if it states none. Raises `Unreadable` if RE is not an existing result."""
    if "RE" not in root.properties:
        return None
    text = root.text("RE").strip()
    if text.lower() in _OPEN:
        return None
    if text.lower() in _DRAWS:
        return StatedResult(None, text, root.spot_of("RE"))
    side = COLOURED.get(text[:1].lower())
    wins = text[1:2] in ("+", "＋") or (text[:1] in "黑白" and ("胜" in text or "勝" in text))
    if side is None or not wins:
        why = say("invalid RE {text}: use an SGF result such as B+R, W+3.5 or 0", text=repr(text[:40]))
        raise Unreadable(why, root.spot_of("RE"))
    return StatedResult(side, text, root.spot_of("RE"))


# ---------------------------------------------------------------- the main line


@dataclass(slots=True)
class _Line:
    """The main line so far: its moves, and the stored nodes and variations by the number of moves before them."""

    game: Dialect
    first: Side
    moves: list[FileMove] = field(default_factory=list)
    _nodes: dict[int, list[dict[str, list[str]]]] = field(default_factory=dict)
    _trees: dict[int, list[str]] = field(default_factory=dict)

    def take(self, node: Node, before: Sequence[str]) -> None:
        """Add a node. ``before``: the properties that were already read from it because it precedes the first move."""
        used = list(before)
        for name in SETUP:
            if name in node.properties and not before:
                self._nothing_set_up(node, name)
        moved = self._move(node)
        if moved:
            used += moved
        extra = {
            name: [value.decode() for value in values] for name, values in node.properties.items() if name not in used
        }
        if "C" in extra:
            extra["C"] = ["\n".join(extra["C"])]
        if before and moved:
            self._nodes[0], extra = [extra], {}
        self._nodes.setdefault(len(self.moves), []).append(extra)
        for tree in node.beside:
            text = sgf_grammar.serialise_game_tree(tree, None).decode().strip()
            self._trees.setdefault(len(self.moves), []).append(text)

    def _nothing_set_up(self, node: Node, name: str) -> None:
        """Check a property that sets up a position. Only PL is valid after the first move, for the side to move anyway.

        In a node with a move, PL is the mover or the other side, depending on the program. Raises `Unreadable`.
        """
        number = len(self.moves)
        if name != "PL":
            raise Unreadable(say("{name} sets up stones after move {number}", name=name, number=number), node.spot)
        said, due = side_named(node), self._side()
        if node.colour is None and said != due:
            why = say(
                "PL after move {number} is {side}, but {due} is to move",
                side=COLOURS[said].upper(), number=number, due=COLOURS[due].upper(),
            )  # fmt: skip
            raise Unreadable(why, node.spot)

    def _side(self) -> Side:
        return self.first if len(self.moves) % 2 == 0 else other(self.first)

    def _move(self, node: Node) -> list[str]:
        """Add the node's move and return the properties that it uses, or an empty list without a move."""
        both = [name for name in ("B", "W") if name in node.properties]
        if not both:
            return []
        side = self._side()
        colour = COLOURS[side].upper()
        if len(both) > 1:
            raise Unreadable(say("one node contains two moves"), node.spot)
        if both != [colour]:
            why = say("move {number}: {side} moves out of turn", number=len(self.moves) + 1, side=both[0])
            raise Unreadable(why, node.spot)
        check_length(len(self.moves) + 1, node.spot)
        try:
            place = sgf_properties.interpret_go_point(node.properties[colour][0], self.game.size)
        except ValueError:
            value = repr(node.text(colour)[:20])
            why = say("move {number}: {value} is not a point of the board", number=len(self.moves) + 1, value=value)
            raise Unreadable(why, node.spot) from None
        clock, exact = self._clock(node, f"{colour}L")
        self.moves.append(FileMove(self.game.passing if place is None else self.game.name(*place), clock, node.spot))
        return [colour, f"{colour}L"] if exact else [colour]

    def _clock(self, node: Node, name: str) -> tuple[Seconds | None, bool]:
        """Return the seconds left, and whether the property states exactly this number. Raises `Unreadable`."""
        if name not in node.properties:
            return None, True
        text = node.text(name)
        if not _SECONDS.fullmatch(text):
            why = say("{name} is a number of seconds, not {text}", name=name, text=repr(text[:20]))
            raise Unreadable(why, node.spot)
        return Seconds(max(0, int(float(text)))), float(text) == max(0, int(float(text)))

    def kept(self, head: str) -> dict[str, object]:
        """Return the annotations. ``head``, the text before the game, becomes a property of the root."""
        if head:
            self._nodes[0][0].setdefault(HEAD, []).append(escaped(head))
        nodes = {str(n): nodes for n, nodes in self._nodes.items() if any(nodes)}
        trees = {str(n): trees for n, trees in self._trees.items()}
        return ({"nodes": nodes} if nodes else {}) | ({"trees": trees} if trees else {})
