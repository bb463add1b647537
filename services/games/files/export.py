"""A score sheet in the form that other programs read: PGN for chess and xiangqi, SGF for the games of stones."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from services.games.files import annotations
from services.games.files.game_file import Annotations
from services.games.files.pgn import pgn_writer
from services.games.files.pgn.pgn_reader import CHESS, WINNERS, XIANGQI, PgnDialect
from services.games.files.pgn.pgn_tokens import on_one_line
from services.games.files.sgf import sgf_dialects, sgf_writer
from services.games.files.sgf.sgf_dialects import Dialect
from services.games.files.sgf.sgf_writer import SgfMove, SgfSheet
from services.games.notations import MoveStyle
from services.games.responses import GameView, colours_at
from services.games.rules.boards.port.position import SIDES, Position
from services.games.rules.boards.registry import PLACING_STEPS, Variant
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import SheetEntry, Statement
from shared.core.events import ClaimMade, MovePlayed, OfferMade, StepTaken
from shared.core.rounds.matches import team_of
from shared.core.rulebook.time_notation import pgn_of, sgf_of
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Side
from shared.desk.desk import Desk
from shared.web.particulars import names_of, particulars_of

PGN, SGF = "application/x-chess-pgn", "application/x-go-sgf"
ENTRY_TAGS = ("Title", "Elo", "FideId")
FILES_OWN = ("Site", "Date", *(f"{colour}{name}" for colour in ("White", "Black") for name in ENTRY_TAGS))
"""The tags of a file that stand before ours, which know neither place nor day of the game, but of its record, and of its
players what their entry says."""


def write(desk: Desk, one: GameView, variant: Variant, style: MoveStyle) -> bytes:
    """The sheet of a game of this variant in the form that `FORMATS` has for it; names that are not at hand are ``?``."""
    dialect = FORMATS[variant.name].dialect
    if dialect is None:
        return _pgn(desk, one, variant, style)
    kept = annotations.kept(desk, one)
    nodes, trees = (annotations.by_number(kept, name) for name in ("nodes", "trees"))
    return sgf_writer.write(replace(own_sgf(desk, one, variant, dialect), nodes=nodes, trees=trees))


def _pgn(desk: Desk, one: GameView, variant: Variant, style: MoveStyle) -> bytes:
    """Return the sheet with the kept contents of files: their tags after ours, comments and variations in their places."""
    kept, moves = annotations.kept(desk, one), one.sheet.moves
    own: dict[str, str] = {}
    if variant.name == CHESS.name:
        texts = MoveStyle("san").moves(variant, (m.move for m in moves))
    else:
        iccs = style.notation in (None, "iccs")
        own = {"Game": "Chinese Chess", "Format": "ICCS" if iccs else "Chinese"}
        texts = style.moves(variant, (m.move for m in moves))
        texts = [f"{text[:2]}-{text[2:]}".upper() for text in texts] if iccs else texts
    setup, offset = _setup(variant)
    sheet = pgn_writer.PgnSheet(
        own | _tags(pgn_tags(desk, one, variant) | setup, kept),
        moves,
        texts,
        annotations.by_number(kept, "plies"),
        variant.name == CHESS.name,
        str(kept.get("footer", "")),
        offset,
    )
    return pgn_writer.write(sheet).encode()


def _setup(variant: Variant) -> tuple[dict[str, str], int]:
    """The tags of a position that was set up, and the half moves before its first; chess960 is told by its castling rights."""
    if variant.position is None:
        return {}, 0
    fields = variant.position.split()
    of_960 = variant.name == CHESS.name and bool(set(fields[2]) - set("KQkq-"))
    tags = ({"Variant": "Chess960"} if of_960 else {}) | {"SetUp": "1", "FEN": variant.position}
    number = int(fields[5]) if len(fields) > 5 else 1
    return tags, 2 * (number - 1) + (fields[1] == "b")


def _tags(own: dict[str, str], kept: Annotations) -> dict[str, str]:
    theirs = annotations.tags_of(kept)
    own = {name: theirs.get(name, value) if name in FILES_OWN else value for name, value in own.items()}
    return own | {name: value for name, value in theirs.items() if name not in own}


def pgn_tags(desk: Desk, one: GameView, variant: Variant) -> dict[str, str]:
    """The tags that the tournament gives a game."""
    day = one.day.strftime("%Y.%m.%d") if one.day else "????.??.??"
    white = colours_at(one).piece("white")
    t, g, holders = one.view.tournament, one.game, _holders(one, variant)
    players = _players(desk, t, holders)
    own = {"Event": t.announced.name, "Site": "?", "Date": day, "Round": f"{g.round}.{g.board}"}
    own |= {white: players["white"], "Black": players["black"], "Result": result_of(one, variant)}
    own |= {f"{word}Team": name for word, name in zip((white, "Black"), _teams(desk, t, holders), strict=False)}
    own |= _entry_tags(desk, t, holders) if white == "White" else {}
    own["Regulations"] = t.regulations.title
    control = None if variant.time is None else pgn_of(variant.time)
    own |= {} if control is None else {"TimeControl": control}
    own |= {"Termination": "forfeit"} if _forfeited(one) else {}
    return {name: on_one_line(value) for name, value in own.items()}


def _players(desk: Desk, t: Tournament, holders: Mapping[Side, PlayerId]) -> dict[Side, str]:
    """The names of who has the pieces of each colour; ``?`` for one that was erased or is not at hand."""
    players = names_of(desk, t, holders.values())
    return {colour: players.get(player, "?") for colour, player in holders.items()}


def _holders(one: GameView, variant: Variant) -> dict[Side, PlayerId]:
    """Who has the pieces of each colour, on whichever seat; White's first."""
    position = one.sheet.position(variant)
    return {colour: one.game.player(position.holder(colour)) for colour in SIDES}


def _entry_tags(desk: Desk, t: Tournament, holders: Mapping[Side, PlayerId]) -> dict[str, str]:
    """Title and rating of White and Black by their entries (PGN 9.1), and the FIDE id by which broadcasts know them; what an
    entry does not say, or what was erased of it, has no tag."""
    particulars = particulars_of(desk, t, holders.values())
    tags: dict[str, str] = {}
    for colour, player in holders.items():
        entry = t.players[player]
        said = entry.title, entry.rating and str(entry.rating), particulars[player].fide_id
        tags |= {f"{colour.title()}{name}": value for name, value in zip(ENTRY_TAGS, said, strict=True) if value}
    return tags


def _teams(desk: Desk, t: Tournament, holders: Mapping[Side, PlayerId]) -> tuple[str, ...]:
    """The teams of White's pieces and Black's, as `_players` has their players; none where no teams play."""
    of = team_of(t)
    teams = [of.get(player) for player in holders.values()]
    refs = ["" if team is None else t.teams[team].name.text for team in teams]
    texts = desk.texts([ref for ref in refs if ref])
    return tuple(texts[ref].text if ref in texts else "?" for ref in refs) if any(refs) else ()


def result_of(one: GameView, variant: Variant) -> str:
    """One of PGN's three results, White's pieces first; what else the marks say is none of them."""
    setting, t = one.view.tournament.setting(one.game), one.view.tournament
    if setting is None:
        return pgn_writer.UNDECIDED
    points = t.regulations.points
    value = {points.win: 2, points.draw: 1, points.loss: 0}
    seats = {"white": value.get(setting.white.points, -1), "black": value.get(setting.black.points, -1)}
    position = one.sheet.position(variant)
    both = seats[position.holder("white")], seats[position.holder("black")]
    return pgn_writer.RESULTS.get(both, pgn_writer.UNDECIDED)


def _forfeited(one: GameView) -> bool:
    """Return whether the game was decided and not played."""
    setting = one.view.tournament.setting(one.game)
    return setting is not None and not setting.white.played


def own_sgf(
    desk: Desk, one: GameView, variant: Variant, dialect: Callable[[Any], Dialect], *, of_file: bool = False
) -> SgfSheet:
    """Return what the sheet itself has to say in SGF. ``of_file``: it is compared with a file of the whole game."""
    of_rules = dialect(variant.rules)
    of_game = of_rules if variant.position is None else of_rules.from_position(variant.position)
    t, g, holders = one.view.tournament, one.game, _holders(one, variant)
    players = _players(desk, t, holders)
    headers = {"EV": t.announced.name, "RO": f"{g.round}.{g.board}"}
    # A file that is read says who had which stones, as the players sit.
    by_file = of_file or one.sheet.stated is not None or one.sheet.annotations is not None
    settled = by_file or colours_at(one).black is not None
    if settled:
        headers |= {"PB": players["black"], "PW": players["white"]}
        headers |= dict(zip(("WT", "BT"), _teams(desk, t, holders), strict=False))
    else:  # no property of SGF is for a player without a colour
        headers["GN"] = " – ".join(names_of(desk, t, (g.white, g.black)).get(seat, "?") for seat in (g.white, g.black))
    headers["GC"] = f"Regulations: {t.regulations.title}"
    if one.day is not None:
        headers["DT"] = one.day.isoformat()
    if variant.time is not None:
        headers |= sgf_of(variant.time)
    result = result_of(one, variant)
    if result in WINNERS and (settled or WINNERS[result] is None):
        headers["RE"] = sgf_writer.result(WINNERS[result], forfeit=_forfeited(one))
    return SgfSheet(stones(one.sheet.entries), of_game, headers, _notes(one.sheet.entries, variant))


def stones(lines: Iterable[SheetEntry]) -> tuple[SgfMove, ...]:
    """The stones and passes that the lines put on the board, in turn; the fifth stone that was kept is a step's, and
    a turn that was lost is a pass."""
    places = []
    for line in lines:
        if isinstance(line, MovePlayed):
            places.append(SgfMove(line.move, line.clock))
        elif isinstance(line, StepTaken) and line.step in PLACING_STEPS:
            places.append(SgfMove(line.values[0] if line.values else "PASS"))
    return tuple(places)


def _notes(lines: Iterable[SheetEntry], variant: Variant) -> dict[int, list[str]]:
    """What else the sheet holds, by the number of stones before it: SGF has it as comments. A side is named by the stones that
    it held then, which are not its seat's after a guess or a swap."""
    notes: dict[int, list[str]] = {}
    count, state = 0, GameState(variant)
    for line in lines:
        if isinstance(line, MovePlayed) or (isinstance(line, StepTaken) and line.step in PLACING_STEPS):
            count += 1
        else:
            notes.setdefault(count, []).append(_note(line, state.position))
        state.take(line)
    return notes


def _note(line: StepTaken | Statement, position: Position) -> str:
    match line:
        case StepTaken(step="guess"):
            return f"{'left' if line.side == 'white' else 'right'}: {' '.join((line.step, *line.values))}"
        case StepTaken():
            return f"{position.holder(line.side)}: {' '.join((line.step, *line.values))}"
        case OfferMade():
            return f"{position.holder(line.side)}: draw {line.offer}"
        case ClaimMade():
            who = "arbiter" if line.side is None else position.holder(line.side)
            return f"{who}: claim {' '.join((line.claim, line.move or '')).strip()}"
    return f"{line.claim} is {'' if line.upheld else 'not '}upheld"


@dataclass(frozen=True, slots=True)
class FileFormat:
    """The file format of a game's sheets: media type, the ending of file names, and its dialect of ``pgn`` or of SGF.

    ``dialect`` returns the dialect of SGF by the game's rules.
    """

    media: str
    ending: Literal["pgn", "sgf"]
    pgn: PgnDialect | None = None
    dialect: Callable[[Any], Dialect] | None = None


FORMATS: dict[str, FileFormat] = {
    "chess": FileFormat(PGN, "pgn", CHESS),
    "xiangqi": FileFormat(PGN, "pgn", XIANGQI),
    "go": FileFormat(SGF, "sgf", dialect=sgf_dialects.go),
    "renju": FileFormat(SGF, "sgf", dialect=sgf_dialects.fives),
    "gomoku": FileFormat(SGF, "sgf", dialect=sgf_dialects.fives),
}
"""By the game's name. A game without a row is told as JSON and as its lines, and kept as no file: SGF has no number for
prediction gomoku, and as gomoku it would be read as a game without its predictions."""


def format_of(variant: Variant | None) -> FileFormat | None:
    """The form of a game's file; None where it has none."""
    return None if variant is None else FORMATS.get(variant.name)
