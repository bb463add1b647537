"""Adjourned games and sealed moves 封棋 (Laws, Guidelines I; 000-A 国际象棋, 对局结束 5, 9; 000-E 4(四)).

The side to move seals its move: as the SHA-256 of a salt and the move, or on paper, which the arbiter keeps. Before the
envelope is opened, no move is played. The only claims are a resignation, and a flag stated by an arbiter: only the
clock of the player who is to reply can be running (I.9.2). Draws can be offered and agreed at any time (I.4, I.6).
Moves taken back also remove the envelope, because the sealed move belongs to a position that no longer exists.
"""

from services.games.rules.boards.port.position import is_seal, not_due, opens
from services.games.rules.boards.port.touch_move import listing
from services.games.rules.commands import Move, TakeStep
from services.games.rules.play.move_batch import Batch
from services.games.rules.play.preconditions import RunningGame, finding_on, is_arbiter, refuse_not_started
from services.games.rules.play.sheet.pending_statements import Envelope
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision
from shared.core.language.messages import Message, say, term
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal

SALT = 32
"""Length of a salt in characters.

It is fixed, because otherwise a letter of the move could be read as salt: Nf3 opened as f3.
"""


def refuse_adjourned(game: RunningGame, sheet: Sheet) -> Refusal | None:
    """Return the refusal ``adjourned`` before the envelope is opened, or None if the game is in progress."""
    envelope = sheet.state(game.variant).pending.adjourned()
    if envelope is None:
        return None
    detail = say(
        "{game} is adjourned: {side}'s sealed move must be opened first", game=game.game.game, side=term(envelope.side)
    )
    return Refusal("rule", "adjourned", detail, game.variant.game.sealing, see=f"/v1/games/{game.game.game}/steps")


def take(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Adjourn a game in progress, or open the envelope of an adjourned one.

    Refusals: ``illegal-step``, ``adjourned`` already, ``role-may-not`` for an envelope that an arbiter opens, and those
    of `refuse_not_started`.
    """
    return refuse_not_started(game) or (_seal(c, sheet, game) if c.step == "adjourn" else _open(t, c, sheet, game))


def _seal(c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Decide to adjourn the game. Without a value the envelope is paper. Refusals: ``adjourned``, ``illegal-step``."""
    refusal = refuse_adjourned(game, sheet)
    if refusal is not None:
        return refusal
    state = sheet.state(game.variant)
    due = state.position.to_move()
    if c.side != due:
        return _refuse_step(c, game, not_due(c.side, due, say("sealing a move"), game.variant.game.sealing).reason)
    if state.pending.must_play is not None:
        detail = say("{move} was announced with a wrong claim and must be played first", move=state.pending.must_play)
        return _refuse_step(c, game, detail)
    if state.pending.due:
        detail = say("pieces were touched, so {due} must be played first", due=listing(state.pending.due))
        return _refuse_step(c, game, detail)
    if len(c.values) > 1 or not all(map(is_seal, c.values)):
        detail = say(
            "a seal must be one SHA-256 in 64 hexadecimal digits, lower case; for a paper envelope, give no value"
        )
        return _refuse_step(c, game, detail)
    return Decision(lines=(sheet.step(c.side, c.step, c.values),), game=c.game)


def _open(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Play the sealed move. A move that is ambiguous, illegal or unreadable becomes a finding (Guidelines I.8)."""
    envelope = sheet.state(game.variant).pending.adjourned()
    if envelope is None or envelope.side != c.side:
        return _refuse_step(c, game, say("{side} has no sealed move to open", side=term(c.side)))
    refusal = _seal_refusal(c, game, envelope)
    if refusal is not None:
        return refusal
    batch = Batch(t, c.actor, game, sheet.state(game.variant).fork())
    move = c.values[-1] if c.values else ""
    refusal = batch.add(Ply(len(sheet.plies) + 1), Move(move), "values")
    if refusal is not None and refusal.kind != "rule":
        return refusal
    if refusal is None:
        return Decision(
            brought=batch.brought(), lines=(sheet.step(c.side, c.step, c.values), *batch.lines), game=c.game
        )
    state = sheet.state(game.variant)
    ply = Ply(len(sheet.plies))
    finding = finding_on(t, game.game, "bad_sealed_move", c.side, game.variant.game.sealing, ply, state.position)
    return Decision(brought=(finding,), lines=(sheet.step(c.side, c.step, c.values),), game=c.game)


def _seal_refusal(c: TakeStep, game: RunningGame, envelope: Envelope) -> Refusal | None:
    """Return why the envelope cannot be opened with these values, or None.

    A seal is opened with its salt and the move. An arbiter opens a paper envelope with the written move, and either
    kind without values if the envelope contains no move or the salt is lost.
    """
    if not c.values or envelope.seal is None:
        if not is_arbiter(c.actor):
            detail = say("only an arbiter can open a paper envelope, or state that an envelope contains no move")
            return Refusal("authority", "role-may-not", detail, game.variant.game.sealing, "step")
        if len(c.values) > 1:
            detail = say("to open a paper envelope, give the move as written in it, or no value if it contains none")
            return _refuse_step(c, game, detail)
        return None
    if len(c.values) != 2 or len(c.values[0]) != SALT:
        return _refuse_step(c, game, say("to open a seal, give a salt of {salt} characters and the move", salt=SALT))
    if not opens(envelope.seal, *c.values):
        return _refuse_step(c, game, say("salt and move do not match the seal"))
    return None


def _refuse_step(c: TakeStep, game: RunningGame, why: Message) -> Refusal:
    detail = say("{step}: {why}", step=c.step, why=why)
    return Refusal("rule", "illegal-step", detail, game.variant.game.sealing, where="step")
