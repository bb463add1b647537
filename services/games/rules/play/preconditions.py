"""The preconditions of all commands on a running game, and the ends and findings that they may cause."""

from dataclasses import dataclass

from services.games.rules.boards.port.position import Position
from services.games.rules.boards.registry import Variant, variant_of
from services.games.rules.hall.results import standing_game
from services.games.rules.play.sheet.game_state import GameState
from shared.core.events import FindingMade, GameEnded, Ground
from shared.core.events.games import FindingKind
from shared.core.language.messages import say, term
from shared.core.readings.authority import ACTS, DECIDE_CLAIM
from shared.core.readings.removal_refusals import refuse_ended
from shared.core.rulebook.terminations import Termination
from shared.core.state.entities import Game
from shared.core.state.outcomes import marks_of
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, Actor, GameId, Ply, Refusal, Side, other

FLAGS: tuple[FindingKind, ...] = ("flag", "overrun")
STOP: frozenset[FindingKind] = frozenset({*FLAGS, "illegal_move", "facing_generals", "bad_sealed_move"})
"""Findings that may lose the game at once. After any other finding the game continues while the ruling is pending."""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game of a pairing in force, and the variant that it is played by."""

    game: Game
    variant: Variant


def game_with_sheet(t: Tournament, id: GameId) -> RunningGame | Refusal:
    """Return a game that has a score sheet. Refusals: ``unknown-game``, ``pairing-withdrawn``, ``no-score-sheet``."""
    game = standing_game(t, id)
    if isinstance(game, Refusal):
        return game
    variant = variant_of(t, game)
    if variant is None:
        detail = (
            say("{t} was announced with results_only: its games have no moves and no clocks; report the result", t=t.id)
            if t.announced.excludes_sheets
            else say(
                "the ruleset {ruleset} has no rules for {game}: its games have no moves and no clocks; report the result",
                ruleset=t.regulations.name,
                game=term(t.announced.game),
            )
        )
        return Refusal("rule", "no-score-sheet", detail, see=f"/v1/tournaments/{t.id}/results")
    return RunningGame(game, variant)


def running_game(t: Tournament, id: GameId) -> RunningGame | Refusal:
    """Return a game in progress. Refusals: ``not-started``, and those of `game_with_sheet` and `refuse_game_over`."""
    game = game_with_sheet(t, id)
    if isinstance(game, Refusal):
        return game
    return refuse_game_over(t, game.game) or refuse_not_started(game) or game


def refuse_not_started(game: RunningGame) -> Refusal | None:
    """Return the refusal ``not-started`` if the game has not begun, else None."""
    if game.game.started is not None:
        return None
    name = game.game.game
    return Refusal("rule", "not-started", say("{game} has not been started", game=name), see=f"/v1/games/{name}/start")


def refuse_without_clock(game: RunningGame, state: GameState, where: str) -> Refusal | None:
    """Return the refusal ``no-clock`` if the game began without clocks and they are not set up yet, or None."""
    time = game.variant.time
    if state.clocks_run or time is None:
        return None
    detail = say(
        "the game has no clocks yet: after {clocks_after} seconds an arbiter starts them by the step start_clocks",
        clocks_after=time.clocks_after,
    )
    return Refusal("rule", "no-clock", detail, time.article, where, f"/v1/games/{game.game.game}/steps")


def refuse_stranger(actor: Actor, game: Game) -> Refusal | None:
    """Return the refusal ``other-game`` for a player whose token is for an entry without a seat at this board, or None."""
    if actor.role != "player" or not (actor.name.isascii() and actor.name.isdigit()):
        return None
    if int(actor.name) in (game.white, game.black):
        return None
    detail = say(
        "player {name} does not play in {game}; its players are {white} and {black}",
        game=game.game,
        white=game.white,
        black=game.black,
        name=actor.name,
    )
    return Refusal("authority", "other-game", detail, where="game")


def refuse_other_side(t: Tournament, actor: Actor, game: Game, side: Side) -> Refusal | None:
    """Return the refusal ``other-side`` for a player whose token is for an entry other than this side's, or None.

    A player's token is issued for their entry number. One with any other name belongs to a device that both sides use.
    """
    if actor.role != "player" or not (actor.name.isascii() and actor.name.isdigit()):
        return None
    seat = game.player(side)
    if int(actor.name) == seat:
        return None
    detail = say(
        "{side} of {game} is player {seat}, but your login is that of player {name}",
        side=term(side),
        game=game.game,
        seat=seat,
        name=actor.name,
    )
    return Refusal("authority", "other-side", detail, where="side")


def own_running_game(t: Tournament, actor: Actor, id: GameId, side: Side) -> RunningGame | Refusal:
    """Return a game in progress on which the actor may act for this side.

    Refusals: those of `running_game`, `refuse_other_side`.
    """
    game = running_game(t, id)
    if isinstance(game, Refusal):
        return game
    return refuse_other_side(t, actor, game.game, side) or game


def refuse_game_over(t: Tournament, game: Game) -> Refusal | None:
    """Return why the game is not in progress, or None if it is.

    Refusals: ``game-over``; ``flag-found``, or ``finding-open`` for another finding of `STOP`, before it is ruled on.
    If a removal ended the game, the refusal names it.
    """
    ended = refuse_ended(t, game, None, "game-over")
    if ended is not None:
        return ended
    if t.setting(game) is not None:
        ruling = t.ruling_on(game)
        why = say("by ruling {ruling}", ruling=ruling.event.ruling) if ruling is not None else say("already")
        detail = say("{game} is decided {why}", game=game.game, why=why)
        return Refusal("rule", "game-over", detail, see=f"/v1/games/{game.game}")
    for finding in t.findings.values():
        event = finding.event
        if event.game == game.game and finding.open and event.kind in STOP:
            code, what = (
                ("flag-found", say("a flag has fallen")) if event.kind in FLAGS else ("finding-open", term(event.kind))
            )
            detail = say("{game} is paused: {what} ({finding})", game=game.game, what=what, finding=event.finding)
            return Refusal("rule", code, detail, event.article)
    return None


def game_end(t: Tournament, game: GameId, termination: Termination, winner: Side | None, article: str) -> GameEnded:
    """Return the event that ends a played game, with the results that the ruleset gives both sides."""
    return GameEnded(game, *marks_of(t.regulations.points, winner), termination, article)


def finding_on(
    t: Tournament,
    game: Game,
    kind: FindingKind,
    side: Side,
    article: str,
    ply: Ply,
    position: Position,
    before: int = 0,
    grounds: tuple[Ground, ...] = (),
) -> FindingMade:
    """Return a finding on an act of ``side``, at the position of that time.

    ``before``: how many events precede it in the same command.
    """
    return FindingMade(
        finding=f"f{t.counts.get(GAMES, 0) + 1 + before}",
        game=game.game,
        kind=kind,
        player=game.player(side),
        article=article,
        ply=ply,
        opponent_can_win=position.can_win(other(side)),
        grounds=grounds,
    )


def is_arbiter(actor: Actor) -> bool:
    """Return whether the actor's role is one that decides claims, so that its holder may state facts as an arbiter."""
    return actor.role in ACTS[DECIDE_CLAIM].roles
