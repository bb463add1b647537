"""The history next to the board on a game's page: the moves that count and the sheet's other entries, in its order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.games.notations import MoveStyle
from services.games.rules.boards.registry import PLACING_STEPS, PLY_STEPS, STEP_WORDS, Variant
from services.games.rules.play.sheet.clocks import FAULT, setting, shown_adjustments
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import (
    ClaimDecided,
    ClaimMade,
    FileRead,
    MovePlayed,
    MovesTakenBack,
    OfferMade,
    SheetLine,
    StepTaken,
)
from shared.core.language.messages import Message, say
from shared.core.readings.vocabulary import CLAIMS, display_name
from shared.core.state.grounds import lines_of
from shared.core.terms import Ply, RulingId, Seconds, Side, other

_PARTS = {
    "lateness": say("lateness {time}"),
    "rulings": say("rulings {time}"),
    "given_back": say("time to be given back: {time}"),
}
_OFFERS = {"draw": say("offers a draw"), "accept": say("accepts the draw"), "decline": say("declines the draw")}


@dataclass(frozen=True, slots=True)
class PlyEntry:
    """A ply: a move as displayed, or a step that is one. ``clock``: the mover's time left, or None if not read."""

    ply: Ply
    text: str | Message
    clock: str | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry that is not a move. ``ply``: the last one before it. ``side``: None if neither player made the entry."""

    ply: Ply
    side: Side | None
    what: Message
    article: str = ""
    grounds: tuple[Message, ...] = ()
    ruling: RulingId | None = None


def clock(seconds: Seconds | None) -> str | None:
    """Return seconds as a clock shows them (1:05:00, 4:59), or None without a reading."""
    if seconds is None:
        return None
    minutes, rest = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def clock_parts(parts: Mapping[str, int | None] | None) -> Message | None:
    """Return the setting that a clock needs, and why, or None if its last reading needs no change or is unknown."""
    if parts is None or parts["reading"] is None or not any(parts[name] for name in _PARTS):
        return None
    total = sum(value or 0 for value in parts.values())
    why = tuple(
        Message(words.text, {"time": _signed(parts[name] or 0)}) for name, words in _PARTS.items() if parts[name]
    )
    return say(
        "set the clock to {time}: read {reading}, {why}",
        time=clock(Seconds(max(0, total))) or "",
        reading=clock(Seconds(parts["reading"])) or "",
        why=why,
    )


def _signed(seconds: int) -> str:
    return f"{'−' if seconds < 0 else '+'}{clock(Seconds(abs(seconds)))}"


def moves(variant: Variant, sheet: Sheet, style: MoveStyle) -> list[PlyEntry]:
    """Return the plies that count, with the moves in the reader's ``style``."""
    texts = iter(style.moves(variant, (m.move for m in sheet.moves)))
    return [
        PlyEntry(Ply(n), next(texts), clock(one.clock))
        if isinstance(one, MovePlayed)
        else PlyEntry(Ply(n), _step(one), None)
        for n, one in enumerate(sheet.plies, 1)
    ]


def last_move(sheet: Sheet) -> str | None:
    """Return the last move that counts, or the fifth stone that stayed on the board, or None before the first move."""
    for line in reversed(sheet.entries):
        if isinstance(line, MovePlayed):
            return line.move
        if isinstance(line, StepTaken) and line.step in PLACING_STEPS and line.values:
            return line.values[0]
    return None


def history(variant: Variant, lines: Iterable[SheetLine], style: MoveStyle) -> list[HistoryEntry]:
    """Return the entries that are not moves, including moves taken back.

    If the colours were corrected since, earlier entries are listed under the other side.
    """
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
            case FileRead():
                what = say("a file with annotations was imported")
                if line.result is not None:
                    what = say("a file was imported that states the result {result}", result=line.result)
                entries.append(HistoryEntry(line.ply, None, what))
            case StepTaken() if (step := variant.game.steps_by_name.get(line.step)) is not None and step.from_start:
                entries = [*(replace(one, side=one.side and other(one.side)) for one in entries), _entry(variant, line)]
            case StepTaken() | OfferMade() | ClaimMade() | ClaimDecided():
                entries.append(_entry(variant, line))
    return entries


def _entry(variant: Variant, line: StepTaken | OfferMade | ClaimMade | ClaimDecided) -> HistoryEntry:
    match line:
        case StepTaken():
            article = variant.game.clock_fault if FAULT in line.values else ""
            return HistoryEntry(line.ply, line.side, _step(line), article)
        case OfferMade():
            return HistoryEntry(line.ply, line.side, _OFFERS[line.offer])
        case ClaimMade():
            return HistoryEntry(line.ply, line.side, _claimed(line))
    what = say("{claim} is upheld{id}") if line.upheld else say("{claim} is not upheld{id}")
    decided = Message(what.text, {"claim": display_name(CLAIMS, line.claim), "id": _id(line)})
    if line.due:
        decided = say(
            "{decided}; one of these moves must be played: {moves}", decided=decided, moves=" ".join(line.due)
        )
    return HistoryEntry(line.ply, None, decided, line.article, lines_of(line.grounds))


def _claimed(line: ClaimMade) -> Message:
    """Return the words of a claim, with the move or the squares that it names."""
    claim = display_name(CLAIMS, line.claim)
    if line.move and line.claim == "illegal_move":  # the opponent's move, not an announced one
        claim = say("{claim} {squares}", claim=claim, squares=line.move)
    elif line.move:
        claim = say("{claim} with {move}", claim=claim, move=line.move)
    elif line.squares:
        claim = say("{claim} {squares}", claim=claim, squares=" ".join(line.squares))
    if line.side is None:
        return say("the arbiter asks for {claim}{id}", claim=claim, id=_id(line))
    return say("claims {claim}{id}", claim=claim, id=_id(line))


def _id(line: ClaimMade | ClaimDecided) -> Message | str:
    return say(" ({id})", id=line.id) if line.id else ""


def _taken_back(variant: Variant, line: MovesTakenBack, plies: Sequence[SheetLine], style: MoveStyle) -> HistoryEntry:
    """Return the entry for the moves that were taken back, in the reader's ``style``."""
    remaining = [one.move for one in plies[: line.to_ply] if isinstance(one, MovePlayed)]
    went = [one.move for one in plies[line.to_ply :] if isinstance(one, MovePlayed)]
    texts = " ".join(style.moves(variant, [*remaining, *went])[len(remaining) :])
    what = say("taken back: {moves} ({reason})", moves=texts, reason=display_name(_REASONS, line.reason))
    return HistoryEntry(Ply(len(plies)), None, what, variant.reasons().get(line.reason, ""), ruling=line.ruling)


_PARITY = {"odd": say("odd"), "even": say("even")}


def _step(line: StepTaken) -> Message:
    if line.step in ("set_clock", "clock_shows"):
        return _clock_step(line)
    words = display_name(STEP_WORDS, line.step)
    if line.step == "guess" and len(line.values) == 2 and line.values[0] in _PARITY:
        return say(
            "{step} {parity}; stones grabbed: {number}",
            step=words,
            parity=_PARITY[line.values[0]],
            number=line.values[1],
        )
    return say("{step} {values}", step=words, values=" ".join(line.values)) if line.values else words


def _shown(name: str, seconds: int) -> Message:
    """Return the words for the time on a clock that a ruling, given by its ID, or lateness caused."""
    if name in _PARTS:
        return Message(_PARTS[name].text, {"time": _signed(seconds)})
    return say("{name} {time}", name=name, time=_signed(seconds))


def _clock_step(line: StepTaken) -> Message:
    seconds, words = setting(line), STEP_WORDS[line.step]
    shows = tuple(_shown(name, value) for name, value in shown_adjustments(line))
    if seconds is None:
        return say("{step} {parts}", step=words, parts=shows)
    told = say("{step} {time}", step=words, time=clock(seconds) or "")
    if FAULT in line.values:
        told = say("{step} (the clock was faulty)", step=told)
    return say("{step} ({parts})", step=told, parts=shows) if shows else told


_REASONS = {
    "agreement": say("agreement"),
    "ruling": say("ruling"),
    "misrecorded": say("misrecorded"),
    "displaced_pieces": say("displaced pieces"),
    "illegal_move": say("illegal move"),
    "initial_position": say("initial position"),
    "wrong_colours": say("wrong colours"),
    "wrong_order": say("wrong order"),
    "takes_back": say("takes back"),
    "scattered": say("scattered"),
    "pushed_stone": say("pushed stone"),
}
