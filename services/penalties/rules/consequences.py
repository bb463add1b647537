"""Consequences that the rulebook draws from the rulings, arrivals and findings in force.

They are computed after every command of penalties. A ruling that is due and not in force is made in the same command,
one at a time; each is seen by the next.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.penalties.rules import rulebook
from services.penalties.rules.counted_again import next_counted_again
from services.penalties.rules.game_lookup import game_in_force
from services.penalties.rules.hall.forfeits import forfeit_again, next_forfeit
from services.penalties.rules.rulebook import next_ruling
from services.penalties.rules.rulings.annulments import is_annulled
from services.penalties.rules.rulings.finding_rulings import next_finding_ruling
from services.penalties.rules.rulings.loss_of_game import draw_effect, loss, loss_again
from shared.core.event_types.evolve import fold_decided, fork_after
from shared.core.events import Effect, Official, RulingMade, Rung
from shared.core.rounds.further_games import match_of
from shared.core.rulebook.regulations import LadderRule
from shared.core.state.entities import Game, Ruling
from shared.core.state.removals import REMOVAL, Removal
from shared.core.state.tournament import Tournament
from shared.core.terms import PENALTIES, PlayerId, RulingId


def next_removal_loss(t: Tournament) -> RulingMade | None:
    """Return the loss of the first started game that a removed player loses without a ruling on it yet, or None.

    By the article of the removal: 取消当场比赛资格 (002-X 18.2; 000-A 6.2), 除名 (002-X 18.3), 取消资格 (000-B 注意 8).
    Games that were not begun are forfeited without a ruling (`Tournament.setting`).
    """
    for game, removal in _games_lost_in_progress(t):
        assert removal.ruling is not None, "a player who left without a ruling loses without one"
        return RulingMade(
            next_ruling(t),
            removal.player,
            game.round,
            REMOVAL,
            removal.article,
            loss(t, game, removal.player, played=True).effect,
            game=game.game,
            because=(removal.ruling,),
            rung=Rung(REMOVAL, removal.player, game.game, 1),
        )
    return None


def _games_lost_in_progress(t: Tournament) -> Iterator[tuple[Game, Removal]]:
    if not t.removals_lapse() or not t.removals:
        return
    for game in t.games_in_force():
        if game.started is None or t.removals.keys().isdisjoint((game.white, game.black)):
            continue
        if t.own_setting(game) is None and t.ruling_on(game) is None:
            yield from ((game, one) for one in t.removed_from(game)[:1] if one.ruling is not None)


TOURNAMENT = "tournament"
"""The scope of a ladder step that counts over the whole event."""


def consequences_of(t: Tournament, events: Iterable[Official]) -> tuple[RulingMade, ...]:
    """Return the rulings that are due after a command's own ``events``. ``t`` is not changed.

    Raises `RuntimeError` for a ruling that stays due although it was made, as in a log that no command handler wrote.
    """
    after = fork_after(t, PENALTIES, events)
    rulings: list[RulingMade] = []
    made: set[str] = set()
    while (ruling := next_consequence(after)) is not None:
        content = repr(replace(ruling, ruling=RulingId("")))
        if content in made:
            raise RuntimeError(f"{ruling.infraction} of player {ruling.player} stays due although it was ruled on")
        made.add(content)
        fold_decided(after, PENALTIES, ruling)
        rulings.append(ruling)
    return tuple(rulings)


def next_consequence(t: Tournament) -> RulingMade | None:
    """Return the first ruling that is due and not in force, or None."""
    return (
        next_counted_again(t)
        or _ladder(t)
        or forfeit_again(t)
        or next_forfeit(t)
        or loss_again(t)
        or next_finding_ruling(t)
        or next_removal_loss(t)
    )


# ---------------------------------------------------------------- the ladder


def _ladder(t: Tournament) -> RulingMade | None:
    for rule in rulebook.ladder_rules(t):
        for (player, scope), rulings in _countable_rulings(t, rule).items():
            for count in _steps(rule, len(rulings)):
                rung = Rung(rule.rule, player, scope, count)
                because = tuple(r.event.ruling for r in rulings[:count])
                if not _was_made(t, rung, because):
                    return _rung_ruling(t, rule, rung, because, rulings[count - 1])
    return None


def _steps(rule: LadderRule, counted: int) -> range:
    """Return the counts, up to the present one (``counted``), at which a step of a penalty ladder is due.

    It is due at its own count. If the step itself adds to a counter (重犯), it is due at each further count too.
    """
    last = counted if rule.moves is not None else min(counted, rule.count)
    return range(rule.count, last + 1)


def _countable_rulings(t: Tournament, rule: LadderRule) -> dict[tuple[PlayerId, str], list[Ruling]]:
    """Return the rulings in force that a ladder step counts, by player and scope, in the order of the log.

    If several rulings belong to the same step, only the one that has effect counts, from decision edition 2 on.
    """
    counts = t.has_effect if t.regulations.decisions >= 2 else t.is_in_force
    by_scope: dict[tuple[PlayerId, str], list[Ruling]] = {}
    for id, ruling in t.rulings.items():
        event = ruling.event
        player = event.player
        if player is None or event.counter != rule.counter or not counts(id):
            continue
        game = game_in_force(t, event.game)
        if game is None and (rule.scope != "tournament" or rule.effect == "set_marks"):
            continue
        by_scope.setdefault((player, _scope(t, rule, game)), []).append(ruling)
    return by_scope


def _scope(t: Tournament, rule: LadderRule, game: Game | None) -> str:
    """Return what a ladder step counts in: the game; its match, as ``match-`` and the number; or the whole event."""
    if rule.scope == "tournament" or game is None:
        return TOURNAMENT
    match = match_of(t, game) if rule.scope == "match" else None
    return game.game if match is None else f"match-{match}"


def _was_made(t: Tournament, rung: Rung, because: tuple[RulingId, ...]) -> bool:
    """Return whether the ruling of a penalty step ``rung`` was made already, so that it must not be made again.

    This is the case if such a ruling is in force. It is also the case if such a ruling results from the rulings
    ``because`` and was annulled alone: the annulment is a pardon, and the same rulings do not cause it again.
    """
    of_rung = [r.event for r in t.rulings.values() if r.event.rung == rung]
    return any(
        t.is_in_force(event.ruling) or (is_annulled(t, event.ruling) and event.because[: len(because)] == because)
        for event in of_rung
    )


def _rung_ruling(
    t: Tournament, rule: LadderRule, rung: Rung, because: tuple[RulingId, ...], last: Ruling
) -> RulingMade:
    game = game_in_force(t, last.event.game)
    effect = Effect(rule.effect)
    if rule.effect == "set_marks":
        assert game is not None, "a loss by a count is of the game of the last ruling counted"
        if rule.draws and _opponent_cannot_win(t, last):
            effect = draw_effect(t)
        else:
            lost_game = loss(t, game, rung.player, played=True)
            effect = lost_game.effect
            because += lost_game.because
    return RulingMade(
        rulebook.next_ruling(t),
        rung.player,
        last.event.round,
        rule.rule,
        rule.article,
        effect,
        game=None if game is None else game.game,
        counter=rule.moves,
        because=because,
        rung=rung,
    )


def _opponent_cannot_win(t: Tournament, last: Ruling) -> bool:
    """Return whether the ruling is on a finding which states that the opponent cannot win."""
    finding = None if last.event.finding is None else t.findings.get(last.event.finding)
    return finding is not None and not finding.event.opponent_can_win
