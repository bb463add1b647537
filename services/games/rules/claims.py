"""Resignation, and the fall of a flag."""

from services.games.rules.commands import MakeClaim
from services.games.rules.playing import Running, ended, running
from services.games.rules.position import other
from services.games.rules.sheet import Sheet
from shared.events import ClaimDecided, ClaimMade, Decision, FindingMade
from shared.terms import GAMES, Actor, Ply, Refusal
from shared.tournament import Tournament

RESIGNATION = "000-A 国际象棋, 对局结束 2; Laws 5.1.2"


def claim(t: Tournament, c: MakeClaim, sheet: Sheet) -> Decision | Refusal:
    """Resign (认输), or claim the fall of the other side's flag. Refusals: those of `running`."""
    game = running(t, c.game)
    if isinstance(game, Refusal):
        return game
    if c.claim == "resignation":
        return _resign(t, c, sheet)
    return _flag(t, c, sheet, game)


def _resign(t: Tournament, c: MakeClaim, sheet: Sheet) -> Decision:
    ply = Ply(len(sheet.moves))
    lines = (ClaimMade(ply, c.side, "resignation"), ClaimDecided(ply, "resignation", True, RESIGNATION))
    return Decision((ended(t, c.game, "resignation", other(c.side), RESIGNATION),), lines=lines, game=c.game)


def _flag(t: Tournament, c: MakeClaim, sheet: Sheet, game: Running) -> Decision:
    """A finding, which penalties answers with the loss, or the draw where ``c.side`` could never have won.

    A claim that neither the arbiter states nor the sheet shows is written down as not
    upheld, and the game goes on.
    """
    assert t.regulations is not None
    article, ply, late = t.regulations.game.flag_article, Ply(len(sheet.moves)), other(c.side)
    shown = _stated(c.actor) or sheet.clock(late) == 0
    lines = (ClaimMade(ply, c.side, "flag"), ClaimDecided(ply, "flag", shown, article))
    if not shown:
        return Decision(lines=lines, game=c.game)
    finding = FindingMade(
        finding=f"f{t.counts.get(GAMES, 0) + 1}",
        game=c.game,
        kind="flag",
        player=game.game.white if late == "white" else game.game.black,
        article=article,
        ply=ply,
        opponent_can_win=sheet.position(game.kind).can_win(c.side),
    )
    return Decision(brought=(finding,), lines=lines, game=c.game)


def _stated(actor: Actor) -> bool:
    """Whether the one who calls the flag has seen the clock for the office."""
    return actor.role in ("arbiter", "chief_arbiter")
