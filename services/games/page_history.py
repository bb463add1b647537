"""What a game's page tells beside its board: the moves that count, and what else the sheet holds, in its order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from services.games.notations import Asked
from services.games.rules.boards.port import other
from services.games.rules.boards.registry import Kind
from services.games.rules.play.game_state import PLY_STEPS
from services.games.rules.play.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, MovePlayed, MovesTakenBack, OfferMade, SheetLine, StepTaken
from shared.core.terms import Ply, RulingId, Seconds, Side

_OFFERS = {"draw": "offers a draw 提和", "accept": "accepts the draw", "decline": "declines the draw"}
_STEPS = {
    "swap": "swaps the colours 交换",
    "keep": "keeps the colours",
    "opening": "names the opening",
    "offer_fifth": "offers the fifth stones",
    "choose_fifth": "keeps the fifth stone",
    "guess": "guesses 猜先",
    "adjourn": "seals a move 封棋",
    "unseal": "the sealed move is opened",
    "seal": "seals a prediction",
    "reveal": "shows the prediction",
    "confirm_end": "confirms the end 终局",
    "dead": "calls dead 死子",
    "dispute": "disputes what was called dead",
    "confirm_resignation": "confirms the resignation",
    "lose_turn": "loses the turn",
    "correct_colours": "the colours are put right",
    "criterion": "what would be drawn is won by",
    "give_up": "gives up the contest on the board",
    "settle": "the board is settled 勘定; dead",
}
_FIFTH = "choose_fifth"
"""The step that puts a stone on the board."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A ply: a move as it is read, or a step that is one. ``clock``: the mover's seconds left, None where it was not read."""

    ply: Ply
    text: str
    clock: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """What is no move, ``ply`` the last one before it; ``side`` None where it is nobody's at the board."""

    ply: Ply
    side: Side | None
    what: str
    article: str = ""
    grounds: str = ""
    ruling: RulingId | None = None


def clock(seconds: Seconds | None) -> str | None:
    """Seconds as a clock shows them: 1:05:00, 4:59."""
    if seconds is None:
        return None
    minutes, rest = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def moves(kind: Kind, sheet: Sheet, asked: Asked) -> list[Moved]:
    """The plies that count, the moves as ``asked`` for."""
    texts = iter(asked.moves(kind, (m.move for m in sheet.moves)))
    return [
        Moved(Ply(n), next(texts), clock(one.clock)) if isinstance(one, MovePlayed) else Moved(Ply(n), _step(one), None)
        for n, one in enumerate(sheet.plies, 1)
    ]


def last_move(sheet: Sheet) -> str | None:
    """The last move that counts, or the fifth stone that was kept; None before the first."""
    for line in reversed(sheet.counting):
        if isinstance(line, MovePlayed):
            return line.move
        if isinstance(line, StepTaken) and line.step == _FIFTH:
            return line.values[0]
    return None


def history(kind: Kind, lines: Iterable[SheetLine], asked: Asked) -> list[Said]:
    """What else was said and done, moves taken back with them; of those who did it, where the colours were put right since."""
    told: list[Said] = []
    plies: list[SheetLine] = []
    for line in lines:
        match line:
            case MovePlayed():
                plies.append(line)
            case MovesTakenBack():
                told.append(_taken_back(kind, line, plies, asked))
                plies = plies[: line.to_ply]
            case StepTaken() if line.step in PLY_STEPS:
                plies.append(line)
            case StepTaken() if line.step in kind.row.all_along:
                told = [*(replace(one, side=one.side and other(one.side)) for one in told), _said(line)]
            case _:
                told.append(_said(line))
    return told


def _said(line: StepTaken | OfferMade | ClaimMade | ClaimDecided) -> Said:
    match line:
        case StepTaken():
            return Said(line.ply, line.side, _step(line))
        case OfferMade():
            return Said(line.ply, line.side, _OFFERS[line.offer])
        case ClaimMade():
            named = f" with {line.move}" if line.move else "".join(f" {square}" for square in line.squares)
            verb = "the arbiter asks for" if line.side is None else "claims"
            return Said(line.ply, line.side, f"{verb} {_words(line.claim)}{named}")
    verdict = "is upheld" if line.upheld else "is not upheld"
    due = f"; to be played: {' '.join(line.due)}" if line.due else ""
    return Said(line.ply, None, f"{_words(line.claim)} {verdict}{due}", line.article, line.grounds)


def _taken_back(kind: Kind, line: MovesTakenBack, plies: Sequence[SheetLine], asked: Asked) -> Said:
    """The moves that went, as they were read."""
    stood = [one.move for one in plies[: line.to_ply] if isinstance(one, MovePlayed)]
    went = [one.move for one in plies[line.to_ply :] if isinstance(one, MovePlayed)]
    texts = " ".join(asked.moves(kind, [*stood, *went])[len(stood) :])
    what = f"taken back: {texts} ({_words(line.reason)})"
    return Said(Ply(len(plies)), None, what, kind.reasons().get(line.reason, ""), ruling=line.ruling)


def _step(line: StepTaken) -> str:
    return " ".join((_STEPS.get(line.step, _words(line.step)), *line.values))


def _words(name: str) -> str:
    return name.replace("_", " ")
