"""Rulings on findings of games: one for each row that the rulebook has for the finding."""

from services.penalties.rules import rulebook
from services.penalties.rules.game_lookup import game_in_force
from services.penalties.rules.rulings.loss_of_game import draw_effect, loss
from services.penalties.rules.rulings.rulings import ruling_on_act
from shared.core.events import Effect, FindingMade, RulingMade
from shared.core.rulebook.effects import EFFECTS, EffectKind
from shared.core.rulebook.regulations import FindingRule, InfractionRule
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament


def next_finding_ruling(t: Tournament) -> RulingMade | None:
    """Return the first ruling that an answered finding requires and that was never made on it, or None.

    Withdrawn findings are left out, and those on an act that an official has ruled on. A result or clock time is not
    due in a game that a ruling decides.
    """
    rulings = {(r.event.finding, r.event.infraction, r.event.effect.kind) for r in t.rulings.values()}
    for id, finding in t.findings.items():
        holds = finding.answered is not None and finding.withdrawn is None
        game = game_in_force(t, finding.event.game) if holds else None
        if game is None:
            continue
        for row in rulebook.finding_rules(t, finding.event.kind):
            infraction, kind = _infraction(t, row)
            decided = EFFECTS[kind].until_decided and t.ruling_on(game) is not None
            if decided or (id, infraction.name, kind) in rulings or _has_official_ruling(t, finding.event, infraction):
                continue
            return _ruling(t, game, finding.event, row)
    return None


def _has_official_ruling(t: Tournament, finding: FindingMade, infraction: InfractionRule) -> bool:
    """Return whether an official's ruling on this act is in force."""
    first = ruling_on_act(t, finding.game, finding.ply, finding.player, infraction.name)
    return first is not None and t.rulings[first].event.finding is None


def _infraction(t: Tournament, row: FindingRule) -> tuple[InfractionRule, EffectKind]:
    """Return the infraction of a row, and the kind of effect that the row has."""
    infraction = rulebook.infraction_rule(t, row.infraction)
    assert infraction is not None, "a rulebook knows the infractions of its own rows"
    kind: EffectKind | None = "adjust_clock" if row.clock else infraction.effect
    assert kind is not None, "a row has an effect or seconds"
    return infraction, kind


def _ruling(t: Tournament, game: Game, finding: FindingMade, row: FindingRule) -> RulingMade:
    """Return the ruling on a finding by the ``row`` of the rulebook. If the row changes a clock, no counter rises.

    The article is that of the row. A row without one takes it from the infraction, or for a flag from the finding.
    """
    infraction, kind = _infraction(t, row)
    article = finding.article if infraction.name == rulebook.FLAG else infraction.article
    return RulingMade(
        rulebook.next_ruling(t),
        finding.player,
        game.round,
        infraction.name,
        row.article or article,
        _effect(t, game, finding, row, kind),
        game=game.game,
        counter=None if row.clock else infraction.counter,
        finding=finding.finding,
        ply=finding.ply if t.regulations.decisions >= 2 else None,
    )


def _effect(t: Tournament, game: Game, finding: FindingMade, row: FindingRule, kind: EffectKind) -> Effect:
    """Return the effect of a finding.

    A loss becomes a draw against an opponent who cannot win, if the row says so (000-A 国际象棋, 对局结束 5, 14; Laws 6.9).
    """
    if kind == "set_marks":
        spared = row.draws and not finding.opponent_can_win
        return draw_effect(t) if spared else loss(t, game, finding.player, played=True).effect
    return Effect(kind, clock=row.clock or None)
