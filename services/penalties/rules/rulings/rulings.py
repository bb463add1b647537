"""Rulings made by persons: they give an infraction, and the rulebook gives its effect."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import MakeRuling
from services.penalties.rules.game_lookup import game_for, refuse_without_game
from services.penalties.rules.rulings.cited_article import refuse_article
from services.penalties.rules.rulings.effects import effect_refusal
from services.penalties.rules.rulings.facts import refuse_facts
from services.penalties.rules.rulings.loss_of_game import GroundsOfLoss, grounds_of_loss, loss
from shared.core.events import Decision, Effect, RulingMade
from shared.core.language.messages import say, term, together
from shared.core.readings.authority import APPLY, permit_granted
from shared.core.rulebook.effects import EFFECTS
from shared.core.rulebook.regulations import ADJUSTING, ARRIVAL_INFRACTIONS, FOUL_COUNTER, InfractionRule
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GameId, PlayerId, Ply, Refusal, RulingId


def make_ruling(t: Tournament, c: MakeRuling) -> Decision | Refusal:
    """Decide a ruling if the infraction is known and the actor may impose its effect.

    A ruling on a finished game is accepted and has its effect, because the articles do not forbid it. A foul is
    accepted then only if the rulebook allows it. Refusals: ``unknown-infraction``, ``noted-as-arrival``,
    ``noted-as-break``, ``unknown-round``, those of `game_for`, ``claimed-as-touch``, ``foul-after-end``,
    ``effect-missing``, ``effect-fixed``, ``bad-effect``, ``no-game``, ``unknown-article``, those of `refuse_facts`,
    ``same-act``.
    """
    row = rulebook.infraction_rule(t, c.infraction)
    if row is None:
        return _refuse_unknown(t, c)
    refusal = _refuse_out_of_place(t, c, row) or refuse_article(t, c.article)
    if refusal is not None:
        return refusal
    row = rulebook.ruling_row(t, row)
    game = game_for(t, c.player, c.round, c.game)
    if isinstance(game, Refusal):
        return game
    refusal = None if game is None else _refuse_touch(t, row, game) or _refuse_late_foul(t, row, game)
    if refusal is not None:
        return refusal
    effect = _effect(t, c, row, game)
    if isinstance(effect, Refusal):
        return effect
    loses = row.effect == "set_marks"
    because, rung = grounds_of_loss(t, game, c.player, row.name) if game is not None and loses else GroundsOfLoss()
    made = RulingMade(
        rulebook.next_ruling(t),
        c.player,
        c.round,
        row.name,
        c.article or row.article,
        effect,
        game=None if game is None else game.game,
        counter=row.counter,
        because=because,
        rung=rung,
        note=c.note,
        ply=c.ply,
        facts=dict(c.facts),
    )
    return refuse_facts(t, c, row, game) or _refuse_same_act(t, c, row, game) or Decision(events=(made,))


def _refuse_unknown(t: Tournament, c: MakeRuling) -> Refusal:
    name, game = t.regulations.rulebook.name, t.announced.game
    detail = say("the rulebook {name} has no infraction {infraction}", name=name, infraction=repr(c.infraction[:60]))
    row = next((row for row in t.regulations.rulebook.infractions if row.name == c.infraction), None)
    if row is not None:
        detail = say(
            "the rulebook {name} has no infraction {infraction} in {game}, only in {games} ({article})",
            name=name,
            infraction=repr(c.infraction[:60]),
            game=term(game),
            games=together(map(term, row.games)),
            article=row.article,
        )
    see = f"/v1/tournaments/{t.id}/rulebook"
    return Refusal("invalid", "unknown-infraction", detail, where="infraction", see=see)


def _refuse_out_of_place(t: Tournament, c: MakeRuling, row: InfractionRule) -> Refusal | None:
    if row.name in ARRIVAL_INFRACTIONS:
        detail = say(
            "{name} cannot be ruled directly: record the arrival, and the ruling is made automatically", name=row.name
        )
        return Refusal(
            "invalid", "noted-as-arrival", detail, row.article, "infraction", f"/v1/tournaments/{t.id}/arrivals"
        )
    if row.name == rulebook.LONG_BREAK and t.regulations.rulebook.breaks is not None:
        detail = say(
            "{name} cannot be ruled directly: record the break, and the ruling is made automatically", name=row.name
        )
        game = game_for(t, c.player, c.round, c.game)
        see = f"/v1/games/{game.game}/breaks" if isinstance(game, Game) else None
        return Refusal("invalid", "noted-as-break", detail, row.article, "infraction", see)
    rounds = max(t.announced.rounds, t.rounds_paired())
    if not 1 <= c.round <= rounds:
        return Refusal(
            "invalid", "unknown-round", say("the round must be from 1 to {rounds}", rounds=rounds), where="round"
        )
    return None


def _refuse_touch(t: Tournament, row: InfractionRule, game: Game) -> Refusal | None:
    """Return the refusal ``claimed-as-touch`` of a ruling on adjusting 摆正 that the ruleset treats as a touch.

    ``row``: the infraction that is reported. For another infraction or ruleset, the result is None. After the refusal,
    an arbiter must claim the touch by its squares, so that the score sheet records its consequences.
    """
    if row.name != ADJUSTING or t.regulations.game.adjusting(t.announced.game) != "touch":
        return None
    article = t.regulations.articles.get(f"game.{t.announced.game}.adjusting", row.article)
    detail = say(
        "in this ruleset, adjusting counts as a touch 以摸子论处: an arbiter must claim the touch instead, "
        "with the squares touched"
    )
    return Refusal("rule", "claimed-as-touch", detail, article, "infraction", f"/v1/games/{game.game}/claims")


def _refuse_late_foul(t: Tournament, row: InfractionRule, game: Game) -> Refusal | None:
    """Return the refusal ``foul-after-end`` or None.

    It applies to a foul 犯规 that was not announced at once 当场, if the rulebook accepts none later.
    """
    book = t.regulations.rulebook
    if book.fouls_after_end != "refused" or row.counter != FOUL_COUNTER or t.setting(game) is None:
        return None
    article = t.regulations.articles.get("rulebook.fouls_after_end", row.article)
    detail = say(
        "{game} has a result; in this ruleset a foul must be announced at once 当场 and is not accepted later",
        game=game.game,
    )
    return Refusal("rule", "foul-after-end", detail, article, "game", f"/v1/games/{game.game}")


def _refuse_same_act(t: Tournament, c: MakeRuling, row: InfractionRule, game: Game | None) -> Refusal | None:
    """Return the refusal ``same-act`` if another ruling already covers this act, else None.

    An act is an infraction of a player at a ply of a game. If the command states no ply, None is returned.
    """
    if c.ply is None:
        return None
    if game is None:
        return refuse_without_game(c.player, c.round)
    first = ruling_on_act(t, game.game, c.ply, c.player, row.name)
    if first is None:
        return None
    detail = say(
        "ruling {first} already covers {name} of player {player} at ply {ply}; the same act counts once",
        first=first,
        name=row.name,
        player=c.player,
        ply=c.ply,
    )
    return Refusal("rule", "same-act", detail, row.article, "ply", f"/v1/tournaments/{t.id}/rulings/{first}")


def _effect(t: Tournament, c: MakeRuling, row: InfractionRule, game: Game | None) -> Effect | Refusal:
    """Return the rulebook's effect, or the chosen one if the rulebook leaves that to the authority.

    Refusals: ``effect-missing``, ``effect-fixed``, ``bad-effect``, ``no-game``, those of the authority.
    """
    kind = row.effect or (c.effect.kind if c.effect is not None else None)
    if kind is None:
        detail = say(
            "the effect is missing: the rulebook leaves the effect of {name} to the official, so state it",
            name=row.name,
        )
        return Refusal("invalid", "effect-missing", detail, row.article, "effect")
    refusal = permit_granted(t, c.actor, APPLY if row.effect else kind)
    if refusal is not None:
        return refusal
    if game is None and (EFFECTS[kind].needs_game or row.counter is not None):
        return refuse_without_game(c.player, c.round)
    if row.effect is None:
        assert c.effect is not None
        return effect_refusal(t, c.effect) or c.effect
    fixed = Effect(row.effect)
    if row.effect == "set_marks":
        assert game is not None
        fixed = loss(t, game, c.player, played=True).effect
    # A rebuilt command contains the effect that was written; only a different one is refused.
    if c.effect not in (None, fixed):
        detail = say(
            "the effect must be omitted or be {effect}, because the rulebook fixes the effect of {name}",
            name=row.name,
            effect=row.effect.replace("_", " "),
        )
        return Refusal("invalid", "effect-fixed", detail, row.article, "effect")
    return fixed


def ruling_on_act(t: Tournament, game: GameId, ply: Ply, player: PlayerId, infraction: str) -> RulingId | None:
    """Return the first ruling in force on this infraction of a player at this ply, or None without such a ruling.

    In decision edition 1, it is always None.
    """
    if t.regulations.decisions < 2:
        return None
    act = (game, ply, player, infraction)
    rulings = (r.event for r in t.rulings.values() if t.is_in_force(r.event.ruling))
    return next((r.ruling for r in rulings if (r.game, r.ply, r.player, r.infraction) == act), None)
