"""Files exported by electronic boards and programs, as batches of moves. Each file contains whole games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.games.answers import FileDifferenceAnswer, FileReadAnswer
from services.games.files import annotations, dhtmlxq, export, rif, wxf, xqf
from services.games.files.export import PGN, SGF, format_of, stones
from services.games.files.game_file import (
    Annotations,
    FileMove,
    GameFile,
    Place,
    StatedFact,
    Unreadable,
    decoded,
    encoding_of,
)
from services.games.files.pgn import pgn_reader
from services.games.files.pgn.pgn_reader import XIANGQI
from services.games.files.sgf import sgf_reader, sgf_writer
from services.games.files.sgf.sgf_dialects import FIVES
from services.games.files.sgf.sgf_writer import SgfSheet
from services.games.responses import GameView
from services.games.rules.boards.port.position import USUAL, BadPosition, IllegalMove
from services.games.rules.boards.registry import PLACING_STEPS, PLY_STEPS, Variant
from services.games.rules.commands import FileSaid, Move, PlayMoves
from services.games.rules.play.sheet.sheet import Sheet, SheetEntry
from shared.core.events import MovePlayed, StepTaken
from shared.core.events.sheets import StatedResult
from shared.core.language.charset import Encoding
from shared.core.language.messages import Message, either, message_of, say
from shared.core.rulebook.time_notation import TIMES, same_time
from shared.core.terms import Actor, Ply
from shared.core.values.bounds import DAY
from shared.desk.desk import Desk
from shared.http.problems import Problem
from shared.log.texts import Texts

Reader = Callable[[bytes, Encoding | None, int | None], GameFile]
"""A function from a file's bytes, the encoding that its sender names, and the number of the chosen game, to that game.

It raises `Unreadable`.
"""


def _of_one_game(read: Callable[[bytes, Encoding | None], GameFile]) -> Reader:
    def reader(content: bytes, told: Encoding | None, number: int | None) -> GameFile:
        if number not in (None, 1):
            raise Unreadable(say("game {number} does not exist; number of games: {count}", number=number, count=1))
        return read(content, told)

    return reader


_OF_XIANGQI: dict[str, Reader] = {
    xqf.MEDIA: _of_one_game(xqf.read),
    dhtmlxq.MEDIA: _of_one_game(lambda content, told: dhtmlxq.read(decoded(content, told))),
    wxf.MEDIA: _of_one_game(lambda content, told: wxf.read(decoded(content, told))),
}
_OF_FIVES: dict[str, Reader] = {rif.MEDIA: rif.read}
MEDIA_TYPES = (PGN, SGF, *_OF_XIANGQI, *_OF_FIVES)
"""All media types of files that are read for some game."""
FORMATS = {media.rpartition("-")[2]: media for media in MEDIA_TYPES}
"""The same by their usual names: pgn, sgf, xqf."""


def readers(variant: Variant) -> dict[str, Reader]:
    """Return the readers of a game's files; the first is the form that its own sheets are written in."""
    format = format_of(variant)
    if format is None:
        return {}
    if format.dialect is not None:
        dialect = format.dialect(variant.rules)
        of_stones: dict[str, Reader] = {
            SGF: lambda content, told, number: sgf_reader.read(content, dialect, told, number)
        }
        return of_stones | (_OF_FIVES if dialect.number == FIVES.number else {})
    pgn = format.pgn
    assert pgn is not None, "a file is PGN or SGF"
    of_pieces: dict[str, Reader] = {
        PGN: lambda content, told, number: pgn_reader.read(decoded(content, told), pgn, number)
    }
    return of_pieces | (_OF_XIANGQI if pgn is XIANGQI else {})


_RESULTS: dict[str | None, StatedResult] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it was sent: its media type and bytes, and the charset that its sender names.

    ``number`` is the number of the chosen game, or None if the file contains one game.
    """

    media: str
    content: bytes
    charset: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class FileBatch:
    """The command for a file, the places of its moves in the file, and the report on the file for the answer."""

    command: PlayMoves
    spots: Sequence[Place]
    told: FileReadAnswer
    setup: Place | None = None
    result: Place | None = None

    def placed(self, problem: Problem) -> Problem:
        """Add the place in the file to a refusal of a move, of the first position or of the result, and return it."""
        spot = self._spot(problem.extra.get("where") or "")
        if spot is not None:
            problem.extra |= spot.members
            problem.detail = spot.beside(problem.detail) if isinstance(problem.detail, Message) else problem.detail
        return problem

    def _spot(self, where: str) -> Place | None:
        if where == "position":
            return self.setup
        if where == "result":
            return self.result
        number = where[6:-1] if where.startswith("moves[") else ""
        return self.spots[int(number)] if number.isdigit() and int(number) < len(self.spots) else None


def batch(desk: Desk, actor: Actor, texts: Texts, one: GameView, variant: Variant, sent: SentFile) -> FileBatch:
    """Return the moves of a file: all of them, or those after the stones that a step on the sheet has put on the board.

    A file without a move must contain a first position, or the result of a game without known moves.
    Raises `Problem`: 415 for a format of a different game, 422 for a file that is unreadable or has no such content,
    409 if it differs from the stones of such a step.
    """
    format = format_of(variant)
    if format is None:
        raise _other_media(say("games of {name} have no file format: send the game as JSON", name=variant.name))
    read = readers(variant)
    if sent.media not in read:
        raise _other_media(say("a file of {name} must be sent as {media}", name=variant.name, media=either(read)))
    try:
        file = read[sent.media](sent.content, encoding_of(sent.charset), sent.number)
        if not file.moves and file.result is None and file.setup is None:
            raise Unreadable(say("the file must contain a move, a position or a result"), file.begins)
        for move in file.moves:
            if move.clock is not None and move.clock > DAY.high:
                raise Unreadable(say("a clock reading must be 0 to {day} whole seconds", day=DAY.high), move.spot)
    except Unreadable as problem:
        refused = _fault_of_moves(problem.before, problem.setup, variant) if problem.before else None
        raise refused or unreadable(problem.why, problem.spot) from None
    if file.illegal:
        last = file.moves[-1]
        raise _fault_of_moves(file.moves, file.setup, variant) or unreadable(
            say("{move} is not a PGN move", move=last.move[:20]), last.spot
        )
    first, moves = _after_steps(file.moves, one.sheet)
    sheet = None if format.dialect is None else export.own_sgf(desk, one, variant, format.dialect, of_file=True)
    own = export.pgn_tags(desk, one, variant) if sheet is None else {n: v[0] for n, v in sheet.own(0).items()}
    text = _new_annotations(annotations.kept(desk, one), file, own, sheet)
    stated = None if file.result is None else _RESULTS[file.result.winner]
    # A result that the moves on the sheet already had, and that no file stated, is not new.
    known = one.sheet.stated is None and stated == export.result_of(one, variant)
    said = FileSaid(format.ending, texts.ref(text), None if known else stated, file.forfeit)
    told = FileReadAnswer(len(file.moves), stated, _differences(file, own))
    position, spot = (USUAL, None) if file.setup is None else (file.setup.value, file.setup.spot)
    played = tuple(Move(move.move, move.clock) for move in moves)
    command = PlayMoves(actor, one.game.game, first, played, position, said)
    result = None if file.result is None else file.result.spot
    return FileBatch(command, [move.spot for move in moves], told, spot, result)


def _other_media(why: Message) -> Problem:
    return Problem(415, "other-media-type", say("Another media type is expected"), why)


def unreadable(detail: Message, spot: Place | None) -> Problem:
    """Return a problem 422 for a file that cannot be read, with the place."""
    title = say("The file cannot be read")
    if spot is None:
        return Problem(422, "unreadable-file", title, detail)
    return Problem(422, "unreadable-file", title, spot.beside(detail), **spot.members)


def _fault_of_moves(moves: Sequence[FileMove], setup: StatedFact | None, variant: Variant) -> Problem | None:
    """Return the refusal of the first position or of the first illegal move, or None if the rules accept all."""
    if setup is not None and variant.game.set_up is not None:
        try:
            variant.game.set_up(variant.rules, setup.value)
        except BadPosition as problem:
            return unreadable(message_of(problem), setup.spot)
        variant = replace(variant, position=setup.value)
    position = variant.start()
    for n, move in enumerate(moves):
        played = position.play(move.move)
        if isinstance(played, IllegalMove):
            why = say("ply {ply}, {move}: {reason}", ply=n + 1, move=move.move, reason=played.reason)
            title, place = say("The rules refuse this"), {"where": f"moves[{n}]", **move.spot.members}
            return Problem(409, "illegal-move", title, move.spot.beside(why), article=played.article, **place)
    return None


# ---------------------------------------------------------------- annotations and facts


def _new_annotations(before: Annotations, file: GameFile, own: Mapping[str, str], sheet: SgfSheet | None) -> str:
    """Return the annotations of a file as text. It is empty if the sheet has them, or our own file says the same."""
    if sheet is None:
        # The notation of the moves of xiangqi no longer matters once they are read.
        notation = annotations.tags_of(file.annotations).get("Format")
        said = {**own, "Game": "Chinese Chess"} | ({"Format": notation} if notation in ("ICCS", "Chinese") else {})
        found, stands = (annotations.without_tags(each, said) for each in (file.annotations, before))
        names = set(own) - set(export.FILES_OWN)
    else:
        found, stands = (annotations.without_nodes(each, sheet.own) for each in (file.annotations, before))
        root = annotations.by_number(before, "nodes").get(0, [{}])[0]
        theirs = ("RE",) if sgf_writer.says_more(own.get("RE", ""), root.get("RE", [""])[0]) else ()
        names = set(own) - {*sgf_writer.FILES_OWN, *theirs, "C"}
    return annotations.new_text(found, stands, names)


def _differences(file: GameFile, own: Mapping[str, str]) -> list[FileDifferenceAnswer]:
    """Return the facts of the file that differ from the tournament's."""
    differs = []
    for name, value, spot in file.facts:
        here = own.get(name, value)
        if not (same_time(name, here, value) if name in TIMES else here == value):
            differs.append(FileDifferenceAnswer(name=name, file=value, here=here, **spot.members))
    return differs


# ---------------------------------------------------------------- behind steps


def _after_steps(moves: tuple[FileMove, ...], sheet: Sheet) -> tuple[Ply, tuple[FileMove, ...]]:
    """Return the first ply of the batch and its moves.

    A batch cannot repeat a step. The stones of steps are compared with the file, and the batch begins after them.
    """
    before = _steps(sheet.entries)
    stand = stones(before)
    for n, (move, stone) in enumerate(zip(moves, stand, strict=False), 1):
        if move.move != stone.move:
            detail = say("stone {n} is {move} on the sheet, not {move2}", n=n, move=stone.move, move2=move.move)
            see, title = f"/v1/games/{sheet.game}/sheet", say("The rules refuse this")
            raise Problem(409, "other-move", title, detail, see=see, **move.spot.members)
    if len(moves) <= len(stand):
        # The sheet contains all of it. The first stone is a move in every game and can be sent again.
        return Ply(1), moves[:1]
    plies = sum(
        isinstance(line, MovePlayed) or (isinstance(line, StepTaken) and line.step in PLY_STEPS) for line in before
    )
    return Ply(plies + 1), moves[len(stand) :]


def _steps(lines: Sequence[SheetEntry]) -> Sequence[SheetEntry]:
    """Return the entries up to the last step that is a ply or places a stone."""
    steps = PLY_STEPS | PLACING_STEPS
    last = max((n for n, line in enumerate(lines, 1) if isinstance(line, StepTaken) and line.step in steps), default=0)
    return lines[:last]
