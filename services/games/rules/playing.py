"""What every command on a running game asks first, and what every end of one is worth."""

from dataclasses import dataclass

from services.games.rules.kinds import kind_of
from services.games.rules.marks import marks_of
from services.games.rules.results import standing_game
from shared.events import GameEnded
from shared.records import Game
from shared.terms import GameId, Refusal, Side
from shared.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Running:
    """A game and the kind of its sheet."""

    game: Game
    kind: str


def sheeted(t: Tournament, game: GameId) -> Running | Refusal:
    """A game that has a score sheet. Refusals: ``unknown-game``, ``pairing-withdrawn``, ``no-score-sheet``."""
    found = standing_game(t, game)
    if isinstance(found, Refusal):
        return found
    kind = kind_of(t)
    if kind is None:
        detail = "the games of this tournament have no score sheets; their results are reported"
        return Refusal("rule", "no-score-sheet", detail, see=f"/v1/tournaments/{t.id}/results")
    return Running(found, kind)


def running(t: Tournament, game: GameId) -> Running | Refusal:
    """A game that was started and goes on. Refusals: ``not-started``, and those of `sheeted` and `over`."""
    found = sheeted(t, game)
    if isinstance(found, Refusal):
        return found
    refusal = over(t, found.game)
    if refusal is not None:
        return refusal
    if found.game.started is None:
        return Refusal("rule", "not-started", f"{game} has not been started", see=f"/v1/games/{game}/start")
    return found


def over(t: Tournament, game: Game) -> Refusal | None:
    """Why nothing more is played: ``game-over``, or ``flag-found`` until that is ruled on. None: it goes on."""
    if t.setting(game) is not None:
        ruled = t.ruled(game)
        why = f"by ruling {ruled.made.ruling}" if ruled is not None else "already"
        return Refusal("rule", "game-over", f"{game.game} is decided {why}", see=f"/v1/games/{game.game}")
    for finding in t.findings.values():
        if finding.made.game == game.game and finding.answered is None:
            return Refusal("rule", "flag-found", f"{game.game} stands still: a flag fell ({finding.made.finding})")
    return None


def ended(t: Tournament, game: GameId, termination: str, winner: Side | None, article: str) -> GameEnded:
    """The end of a game that was played, with the marks that the regulations give."""
    assert t.regulations is not None
    return GameEnded(game, *marks_of(t.regulations.points, winner), termination, article)
