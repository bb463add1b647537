"""Rulings on what games found: one for each row that the rulebook has for the finding."""

from services.penalties.rules import rulebook
from services.penalties.rules.game_lookup import in_play
from services.penalties.rules.loss_of_game import drawn, loss
from shared.core.effects import EFFECTS, EffectKind
from shared.core.entities import Game
from shared.core.events import Effect, FindingMade, RulingMade
from shared.core.regulations import FindingRule, InfractionRule
from shared.core.tournament import Tournament


def on_findings(t: Tournament) -> RulingMade | None:
    """The first ruling that an answered finding calls for and that was not made on it yet, standing or not."""
    made = {(r.made.finding, r.made.infraction, r.made.effect.kind) for r in t.rulings.values()}
    for id, finding in t.findings.items():
        game = in_play(t, finding.made.game) if finding.answered is not None else None
        if game is None:
            continue
        for row in rulebook.follows(t, finding.made.kind):
            act, kind = _act(t, row)
            decided = EFFECTS[kind].until_decided and t.ruling_on(game) is not None
            if not decided and (id, act.name, kind) not in made:
                return _ruling(t, game, finding.made, row)
    return None


def _act(t: Tournament, row: FindingRule) -> tuple[InfractionRule, EffectKind]:
    """The infraction of a row, and the kind of effect that the row has."""
    act = rulebook.infraction(t, row.infraction)
    assert act is not None, "a rulebook knows the infractions of its own rows"
    kind: EffectKind | None = "adjust_clock" if row.clock else act.effect
    assert kind is not None, "a row has an effect or seconds"
    return act, kind


def _ruling(t: Tournament, game: Game, found: FindingMade, row: FindingRule) -> RulingMade:
    """By the row's article; seconds beside the infraction's own effect move no counter."""
    act, kind = _act(t, row)
    return RulingMade(
        rulebook.next_ruling(t),
        found.player,
        game.round,
        act.name,
        row.article or found.article,
        _effect(t, game, found, row, kind),
        game=game.game,
        counter=None if row.clock else act.counter,
        finding=found.finding,
    )


def _effect(t: Tournament, game: Game, found: FindingMade, row: FindingRule, kind: EffectKind) -> Effect:
    """What loses is drawn against an opponent who cannot win, where the row says so (000-A 国际象棋, 对局结束 5, 14;
    Laws 6.9)."""
    if kind == "set_marks":
        spared = row.draws and not found.opponent_can_win
        return drawn(t) if spared else loss(t, game, found.player, played=True).effect
    return Effect(kind, clock=row.clock or None)
