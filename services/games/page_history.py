"""The history on a game's page, beside its board: the moves that count, and what else the sheet holds, in its order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.games.notations import MoveStyle
from services.games.rules.boards.port.position import other
from services.games.rules.boards.registry import CLOCK_STEP_NAMES, PLACING_STEPS, PLY_STEPS, STEP_WORDS, Variant
from services.games.rules.play.clock_lines import FAULT, setting, shown_in
from services.games.rules.play.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, MovePlayed, MovesTakenBack, OfferMade, SheetLine, StepTaken
from shared.core.terms import Ply, RulingId, Seconds, Side

_PARTS = {"lateness": "lateness 迟到", "rulings": "rulings 判罚", "given_back": "to be given back 更正"}
_OFFERS = {"draw": "offers a draw 提和", "accept": "accepts the draw", "decline": "declines the draw"}


@dataclass(frozen=True, slots=True)
class PlyEntry:
    """A ply: a move as it is read, or a step that is one. ``clock``: the mover's seconds left, None where it was not read."""

    ply: Ply
    text: str
    clock: str | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry that is no move, ``ply`` the last one before it; ``side`` None where it is nobody's at the board."""

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


def clock_parts(parts: Mapping[str, int | None] | None) -> str | None:
    """What a clock is to be set to, and why, where it is not what its last reading says; None where it is."""
    if parts is None or parts["reading"] is None or not any(parts[name] for name in _PARTS):
        return None
    total = sum(value or 0 for value in parts.values())
    why = ", ".join(f"{words} {_signed(parts[name] or 0)}" for name, words in _PARTS.items() if parts[name])
    return f"set the clock to {clock(Seconds(max(0, total)))}: read {clock(Seconds(parts['reading']))}, {why}"


def _signed(seconds: int) -> str:
    return f"{'−' if seconds < 0 else '+'}{clock(Seconds(abs(seconds)))}"


def moves(variant: Variant, sheet: Sheet, style: MoveStyle) -> list[PlyEntry]:
    """The plies that count, the moves in the reader's ``style``."""
    texts = iter(style.moves(variant, (m.move for m in sheet.moves)))
    return [
        PlyEntry(Ply(n), next(texts), clock(one.clock))
        if isinstance(one, MovePlayed)
        else PlyEntry(Ply(n), _step(one), None)
        for n, one in enumerate(sheet.plies, 1)
    ]


def last_move(sheet: Sheet) -> str | None:
    """The last move that counts, or the fifth stone that was kept; None before the first."""
    for line in reversed(sheet.entries):
        if isinstance(line, MovePlayed):
            return line.move
        if isinstance(line, StepTaken) and line.step in PLACING_STEPS and line.values:
            return line.values[0]
    return None


def history(variant: Variant, lines: Iterable[SheetLine], style: MoveStyle) -> list[HistoryEntry]:
    """The entries that are no moves, moves taken back with them; of those who did it, where the colours were put right since."""
    entries: list[HistoryEntry] = []
    plies: list[SheetLine] = []
    for line in lines:
        match line:
            case MovePlayed():
                plies.append(line)
            case MovesTakenBack():
                entries.append(_taken_back(variant, line, plies, style))
                plies = plies[: line.to_ply]
            case StepTaken() if line.step in PLY_STEPS:
                plies.append(line)
            case StepTaken() if _from_start(variant, line):
                entries = [*(replace(one, side=one.side and other(one.side)) for one in entries), _entry(variant, line)]
            case _:
                entries.append(_entry(variant, line))
    return entries


def _entry(variant: Variant, line: StepTaken | OfferMade | ClaimMade | ClaimDecided) -> HistoryEntry:
    match line:
        case StepTaken():
            return HistoryEntry(
                line.ply, line.side, _step(line), variant.game.clock_fault if FAULT in line.values else ""
            )
        case OfferMade():
            return HistoryEntry(line.ply, line.side, _OFFERS[line.offer])
        case ClaimMade():
            detail = f" with {line.move}" if line.move else "".join(f" {square}" for square in line.squares)
            verb = "the arbiter asks for" if line.side is None else "claims"
            return HistoryEntry(line.ply, line.side, f"{verb} {_words(line.claim)}{detail}{_id(line)}")
    verdict = "is upheld" if line.upheld else "is not upheld"
    due = f"; to be played: {' '.join(line.due)}" if line.due else ""
    what = f"{_words(line.claim)} {verdict}{_id(line)}{due}"
    return HistoryEntry(line.ply, None, what, line.article, line.grounds)


def _id(line: ClaimMade | ClaimDecided) -> str:
    return f" ({line.id})" if line.id else ""


def _taken_back(variant: Variant, line: MovesTakenBack, plies: Sequence[SheetLine], style: MoveStyle) -> HistoryEntry:
    """The moves that went, as they were read."""
    remaining = [one.move for one in plies[: line.to_ply] if isinstance(one, MovePlayed)]
    went = [one.move for one in plies[line.to_ply :] if isinstance(one, MovePlayed)]
    texts = " ".join(style.moves(variant, [*remaining, *went])[len(remaining) :])
    what = f"taken back: {texts} ({_words(line.reason)})"
    return HistoryEntry(Ply(len(plies)), None, what, variant.reasons().get(line.reason, ""), ruling=line.ruling)


def _step(line: StepTaken) -> str:
    if line.step in CLOCK_STEP_NAMES and line.step != "start_clocks":
        return _clock_step(line)
    return " ".join((STEP_WORDS.get(line.step, _words(line.step)), *line.values))


def _clock_step(line: StepTaken) -> str:
    seconds = setting(line)
    shows = ", ".join(f"{name} {_signed(value)}" for name, value in shown_in(line))
    if seconds is None:
        return f"{STEP_WORDS[line.step]} {shows}"
    fault = ", as it was faulty 故障" if FAULT in line.values else ""
    return f"{STEP_WORDS[line.step]} {clock(seconds)}{fault}" + (f" ({shows})" if shows else "")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _from_start(variant: Variant, line: StepTaken) -> bool:
    """Whether it tells what has been so from the first move on."""
    step = variant.game.steps_by_name.get(line.step)
    return step is not None and step.from_start
