"""Games as they are answered: what the log and the sheet say of one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from services.games import answers
from services.games.notations import MoveStyle
from services.games.rules.boards.port.position import SIDES, USUAL
from services.games.rules.boards.registry import Variant, variant_of
from services.games.rules.play.clock_state import clock_state, follows_state
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core import events as ev
from shared.core.language.messages import Message
from shared.core.readings.claims import ClaimState, accused_of, claim_state
from shared.core.readings.colours import Colours, colours_of, seat_colour, with_sheet
from shared.core.rulebook.regulations import Points
from shared.core.state.entities import Claim, Game, Setting
from shared.core.state.grounds import lines_of
from shared.core.state.outcomes import notation_of
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.desk.replay import View
from shared.http.answers import MarkAnswer
from shared.http.language.language import words
from shared.wire import envelope


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as of a view: its record and ``variant``, the events of its sheet written by then, and the sheet's state."""

    view: View
    game: Game
    variant: Variant | None
    lines: tuple[bytes, ...]
    sheet: Sheet
    day: date | None

    def tag(self, content: bytes | None = None) -> str:
        """Changes with the tournament and with the sheet, which grows without it; with ``content``, with that too."""
        more = "" if content is None else f"-{sha256(content).hexdigest()[:16]}"
        return f'"{self.view.seq}-{len(self.lines)}{more}"'


def read(desk: Desk, view: View, game: Game) -> GameView:
    """The game with the lines of its sheet that were decided on no more than the view holds."""
    sheet, lines, day = Sheet(game.game), [], None
    for row in desk.lines(f"games/{game.game}"):
        event = envelope.read(row.line, row.seq)
        if event.basis > view.seq:
            break
        lines.append(row.line)
        sheet.evolve(event.data, event.basis)
        day = day or date.fromisoformat(event.time[:10])
    return GameView(view, game, variant_of(view.tournament, game), tuple(lines), sheet, day)


def colours_at(one: GameView) -> Colours:
    """Return the colours at a board as its score sheet shows them, which knows of a swap and of predictions; without a
    sheet, those that the official log records."""
    colours = colours_of(one.view.tournament, one.game)
    if one.variant is None:
        return colours
    position = one.sheet.state(one.variant).position
    over = one.view.tournament.setting(one.game) is not None
    return with_sheet(colours, position.holder("black"), position.colours_settled(), over)


def game(one: GameView, style: MoveStyle) -> answers.GameAnswer:
    """The whole game: seats, state, result, and what its sheet says, with moves in the reader's ``style``."""
    t, g, sheet, variant = one.view.tournament, one.game, one.sheet, one.variant
    state = sheet.state(variant) if variant is not None else None
    adjourned, ruling = state.pending.adjourned() if state else None, t.ruling_on(g)
    return answers.GameAnswer(
        game=g.game,
        tournament=t.id,
        round=g.round,
        board=g.board,
        white=g.white,
        black=g.black,
        status=status(t, g),
        result=result(t, g),
        ruling=ruling and ruling.event.ruling,
        kind=variant.name if variant else None,
        discipline=variant.name if variant else None,
        ply=len(sheet.plies),
        moves=style.moves(variant, (m.move for m in sheet.moves)),
        steps=[_step(s) for s in sheet.steps],
        to_move=state.position.to_move() if state else None,
        start=(g.position or USUAL) if variant else None,
        fen=state.position.text() if state else None,
        facts=state.position.facts() if state else {},
        colours=_colours(one),
        **_clocks(t, g, state),
        byo_yomi=_byo_yomi(variant, state),
        offer=state.pending.offer if state else None,
        must_play=state.pending.must_play if state else None,
        due=state.pending.due if state else (),
        adjourned=None if adjourned is None else adjourned.side,
        claims=[claim(t, c) for c in t.claims.values() if c.event.game == g.game],
        seq=one.view.seq,
    )


def _colours(one: GameView) -> answers.ColoursAnswer:
    """The colour that each seat holds now, and the seat that moves first; null until they are settled."""
    colours = colours_at(one)
    held = {seat: seat_colour(seat, colours) for seat in SIDES}
    called = {seat: None if colour is None else colours.piece(colour).lower() for seat, colour in held.items()}
    return answers.ColoursAnswer(**called, first=colours.first_seat, settled_by=colours.by)


def _clocks(t: Tournament, g: Game, state: GameState | None) -> dict[str, Any]:
    """``clocks``, as they are to be shown, and ``clock_parts``: what they are made of, in seconds."""
    if state is None or not follows_state(t):
        shown = {side: state.clock(side) if state else None for side in SIDES}
        return {"clocks": answers.ClocksAnswer(**shown), "clock_parts": None}
    states = {side: clock_state(t, g, state, side) for side in SIDES}
    parts = {side: answers.ClockPartsAnswer(*one) for side, one in states.items()}
    shown = {side: one.clock for side, one in states.items()}
    return {"clocks": answers.ClocksAnswer(**shown), "clock_parts": answers.PartsOfClocksAnswer(**parts)}


def _byo_yomi(variant: Variant | None, state: GameState | None) -> answers.ByoYomiAnswer | None:
    """The periods of byo-yomi that each side has left; None where the control counts none."""
    time = None if variant is None or state is None else variant.time
    if time is None or state is None or not time.byo_yomi or time.byo_yomi_periods == 1:
        return None
    return answers.ByoYomiAnswer(**{side: state.byo_yomi.get(side, time.byo_yomi_periods) for side in SIDES})


def status(t: Tournament, g: Game) -> answers.Status:
    """*withdrawn* with its pairing, *decided* once it has marks, *playing* once started, else *paired*."""
    if t.pairings[g.pairing - 1].withdrawn is not None:
        return "withdrawn"
    if t.setting(g) is not None:
        return "decided"
    return "paired" if g.started is None else "playing"


def result(t: Tournament, game: Game) -> answers.GameResultAnswer | None:
    """Return the result of a game that counts now, or None."""
    return _setting(t.regulations.points, t.setting(game))


def _setting(points: Points, setting: Setting | None) -> answers.GameResultAnswer | None:
    if setting is None:
        return None
    return answers.GameResultAnswer(
        notation=notation_of(points, setting.white, setting.black),
        white=MarkAnswer.of(setting.white),
        black=MarkAnswer.of(setting.black),
        seq=setting.seq,
    )


def sheet(one: GameView, style: MoveStyle) -> answers.SheetAnswer:
    """The sheet: its number of lines and digest, as `GameEnded` commits to them, and the moves that count."""
    variant, moves = one.variant, one.sheet.moves
    texts = style.moves(variant, (m.move for m in moves))
    return answers.SheetAnswer(
        game=one.game.game,
        lines=len(one.lines),
        sha256=sha256(b"".join(line + b"\n" for line in one.lines)).hexdigest(),
        moves=[answers.MoveAnswer(m.ply, text, m.clock) for m, text in zip(moves, texts, strict=True)],
        steps=[_step(s) for s in one.sheet.steps],
        claims=[
            _sheet_claim(one, line) for line in one.sheet.entries if isinstance(line, ev.ClaimMade | ev.ClaimDecided)
        ],
        offer=one.sheet.state(variant).pending.offer if variant is not None else None,
        seq=one.view.seq,
    )


def claim(t: Tournament, one: Claim) -> answers.ArbiterClaimAnswer:
    """A claim that waited for an arbiter, with its ``state``."""
    own: dict[str, Any] = {"accused": accused_of(one.event), "state": claim_state(t, one), "seq": one.seq}
    names = (name for name in answers.ArbiterClaimAnswer.__struct_fields__ if name not in own)
    return answers.ArbiterClaimAnswer(**{name: getattr(one.event, name) for name in names}, **own)


def _sheet_claim(one: GameView, line: ev.ClaimMade | ev.ClaimDecided) -> answers.SheetClaimAnswer:
    """A claim as it was made, with its state, or as it was decided, with the grounds that are read out."""
    answer = answers.SheetClaimAnswer(ply=line.ply, claim=line.claim, id=line.id or None)
    if isinstance(line, ev.ClaimMade):
        state = _sheet_state(one, line)
        return replace(answer, side=line.side, move=line.move, squares=line.squares, state=state)
    grounds = read_out(lines_of(line.grounds))
    return replace(answer, upheld=line.upheld, article=line.article, grounds=grounds, due=line.due)


def read_out(grounds: Iterable[Message]) -> str:
    """Line by line, in the reader's language."""
    return "\n".join(map(words, grounds))


def _sheet_state(one: GameView, made: ev.ClaimMade) -> ClaimState:
    """A resignation that was not confirmed lapses with the next move."""
    t = one.view.tournament
    waits = t.claims.get((one.game.game, made.id))
    if waits is not None:
        return claim_state(t, waits)
    decision = next((c.decision for c in one.sheet.claims if c.made is made), None)
    if decision is not None:
        return "upheld" if decision.upheld else "denied"
    current = one.variant is not None and made in one.sheet.state(one.variant).pending.claims
    return "pending" if current and t.setting(one.game) is None else "lapsed"


def _step(s: ev.StepTaken) -> answers.StepAnswer:
    return answers.StepAnswer(s.ply, s.side, s.step, s.values)
