"""Score sheets of stones as SGF (FF[4]), serialised by sgfmill."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sgfmill import sgf_grammar, sgf_properties

from services.games.files.sgf.sgf_dialects import COLOURS, Dialect
from shared.core.terms import Seconds, Side, other

Properties = dict[str, list[bytes]]
FILES_OWN = ("DT",)
"""What a file says of the game that the sheet itself knows less well: a sheet knows the day on which it was written."""


class SgfMove(NamedTuple):
    """A point or a pass as the sheet names it, and the mover's seconds left where they are told."""

    move: str
    clock: Seconds | None = None


@dataclass(frozen=True, slots=True)
class SgfSheet:
    """What is written. ``headers`` by SGF property: PB, PW, BT, WT, EV, RO, GC, DT, TM, OT, and RE as `result` writes it;
    ``notes``, by the number of moves before them, stand as comments. ``nodes`` and ``trees``: the properties of nodes and the
    variations that are kept of a file, by the number of moves before them too."""

    moves: Sequence[SgfMove]
    game: Dialect
    headers: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[int, Sequence[str]] = field(default_factory=dict)
    nodes: Mapping[int, Sequence[Mapping[str, Sequence[str]]]] = field(default_factory=dict)
    trees: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def own(self, number: int) -> dict[str, list[str]]:
        """What the node after so many moves says by itself, as it stands in a file."""
        presenter = sgf_properties.Presenter(self.game.size, "UTF-8")
        node = _root(self, presenter) if number == 0 else {}
        _comment(node, self.notes.get(number, ()), presenter)
        return {name: [value.decode() for value in values] for name, values in node.items()}


def result(winner: Side | None, *, forfeit: bool = False) -> str:
    """The property RE of a game that is over; a draw has no winner. ``forfeit``: it was not played."""
    return "0" if winner is None else f"{COLOURS[winner].upper()}+{'F' if forfeit else ''}"


def write(sheet: SgfSheet) -> bytes:
    """The moves, side after side, as SGF in UTF-8."""
    presenter = sgf_properties.Presenter(sheet.game.size, "UTF-8")
    nodes: list[tuple[Properties, Sequence[str]]] = []
    side = sheet.game.first
    for n in range(len(sheet.moves) + 1):
        own = _root(sheet, presenter) if n == 0 else _node(sheet.moves[n - 1], side, sheet.game, presenter)
        first, *more = sheet.nodes.get(n, ({},))
        merged = _merged(own, first)
        _comment(merged, sheet.notes.get(n, ()), presenter)
        nodes += [(merged, ()), *((_merged({}, one), ()) for one in more)]
        nodes[-1] = (nodes[-1][0], sheet.trees.get(n, ()))
        side = other(side) if n else side
    content: bytes = sgf_grammar.serialise_game_tree(_tree(nodes))
    return content


def _root(sheet: SgfSheet, presenter: sgf_properties.Presenter) -> Properties:
    own: dict[str, object] = {"FF": 4, "CA": "UTF-8", "GM": 1, "SZ": sheet.game.size} | dict(sheet.game.root)
    own |= {name: " ".join(value.split()) for name, value in sheet.headers.items()}
    own |= {name: float(value) for name, value in sheet.headers.items() if name == "TM"}
    if sheet.game.handicap:
        own["AB"] = set(sheet.game.handicap)
    if sheet.game.white:
        own["AW"] = set(sheet.game.white)
    return {name: presenter.serialise(name, value) for name, value in own.items()}


def _node(one: SgfMove, side: Side, game: Dialect, presenter: sgf_properties.Presenter) -> Properties:
    colour = COLOURS[side].upper()
    own: Properties = {colour: presenter.serialise(colour, game.place(one.move))}
    if one.clock is not None:
        own[f"{colour}L"] = presenter.serialise(f"{colour}L", float(one.clock))
    return own


def _merged(own: Properties, kept: Mapping[str, Sequence[str]]) -> Properties:
    """Our own properties beside those that were kept of a file, whose clock's reading has parts of a second, and whose
    result says by how much it was won."""
    merged = {name: [value.encode() for value in values] for name, values in kept.items()}
    theirs = [
        name
        for name in merged
        if name in FILES_OWN
        or (name in ("BL", "WL") and name in own and int(float(own[name][0])) == max(0, int(float(merged[name][0]))))
        or (name == "RE" and "RE" in own and says_more(own["RE"][0].decode(), kept["RE"][0]))
    ]
    return merged | {name: values for name, values in own.items() if name not in theirs}


def says_more(ours: str, theirs: str) -> bool:
    """Whether a file's RE names the winner that our own does, and how he won (``B+3.5`` beside ``B+``)."""
    return ours[1:] == "+" and theirs.strip().upper().startswith(ours)


def _comment(node: Properties, notes: Sequence[str], presenter: sgf_properties.Presenter) -> None:
    """The comment of a node: what was kept, and those of our notes that do not stand there yet."""
    lines = b"\n".join(node.get("C", [])).split(b"\n") if "C" in node else []
    new = (presenter.serialise("C", note)[0] for note in notes)
    lines += [note for note in new if note not in lines]
    if lines:
        node["C"] = [b"\n".join(lines)]


def _tree(nodes: Sequence[tuple[Properties, Sequence[str]]]) -> sgf_grammar.Coarse_game_tree:
    """The tree of the main line and its variations, from its end on; the main line stays the first of them."""
    tree = sgf_grammar.Coarse_game_tree()
    for properties, variations in reversed(nodes):
        if variations:
            if not tree.sequence:
                tree.sequence = [{}]
            below, tree = tree, sgf_grammar.Coarse_game_tree()
            tree.children = [below, *(sgf_grammar.parse_sgf_game(text.encode()) for text in variations)]
        tree.sequence.append(properties)
    _in_order(tree)
    return tree


def _in_order(tree: sgf_grammar.Coarse_game_tree) -> None:
    """The sequences of the main line were filled from their ends."""
    while True:
        tree.sequence.reverse()
        if not tree.children:
            return
        tree = tree.children[0]
