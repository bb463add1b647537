"""Facts of a ruling: whether the infraction's article requires them, and whether they make it an infraction."""

from services.penalties.rules.commands import MakeRuling
from shared.core.language.messages import Message, say, together
from shared.core.rulebook.books import citation
from shared.core.rulebook.effects import FACTS, OUTSIDER, Fact, FactRule, FactType, rules_against
from shared.core.rulebook.regulations import InfractionRule
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

MOST = 1_000_000
"""The largest number of seconds, or of counted things, in a report."""

VALUES: dict[FactType, Message] = {
    "seconds": say("a number of seconds from 0 to {most}", most=MOST),
    "count": say("a number from 0 to {most}", most=MOST),
    "boolean": say("true or false"),
    "player": say("the number of a player or {outsider}", outsider=repr(OUTSIDER)),
}


def refuse_facts(t: Tournament, c: MakeRuling, row: InfractionRule, game: Game | None) -> Refusal | None:
    """Return why these facts do not make ``row`` an infraction, or None.

    Refusals: ``unknown-fact``, ``fact-not-asked``, ``bad-fact``, ``fact-missing`` (422); ``no-infraction`` if the
    article excludes the act, and ``fact-contradicts`` if the log contradicts a fact (409).
    """
    return (
        _refuse_unasked(t, c, row)
        or next((bad for rule in row.facts if (bad := _refuse_value(t, c, row, rule)) is not None), None)
        or _refuse_missing(c, row)
        or _refuse_excluded(t, c, row, game)
        or _refuse_contradicted(t, c, row, game)
    )


def _refuse_unasked(t: Tournament, c: MakeRuling, row: InfractionRule) -> Refusal | None:
    """Return the refusal of the first fact that the article does not use, with those it uses, or None."""
    asked = [rule.name for rule in row.facts]
    name = next((name for name in c.facts if name not in asked), None)
    if name is None:
        return None
    takes = say(
        "{infraction} accepts these facts: {facts}",
        infraction=row.name,
        facts=together(asked) if asked else say("none"),
    )
    see = f"/v1/tournaments/{t.id}/rulebook"
    if name not in FACTS:
        detail = say("unknown fact {name}; {takes}", name=repr(name[:60]), takes=takes)
        return Refusal("invalid", "unknown-fact", detail, row.article, "facts", see)
    detail = say("{takes}, not {name}", takes=takes, name=name)
    return Refusal("invalid", "fact-not-asked", detail, row.article, f"facts.{name}", see)


def _refuse_value(t: Tournament, c: MakeRuling, row: InfractionRule, rule: FactRule) -> Refusal | None:
    if rule.name not in c.facts or _fits(t, FACTS[rule.name], c.facts[rule.name]):
        return None
    detail = say("{name} is {values}", name=rule.name, values=VALUES[FACTS[rule.name]])
    return Refusal("invalid", "bad-fact", detail, row.article_of(rule), f"facts.{rule.name}")


def _fits(t: Tournament, type: FactType, value: Fact) -> bool:
    if type == "boolean":
        return isinstance(value, bool)
    number = isinstance(value, int) and not isinstance(value, bool)
    if type == "player":
        return value == OUTSIDER or (number and value in t.players)
    return number and 0 <= int(value) <= MOST


def _refuse_missing(c: MakeRuling, row: InfractionRule) -> Refusal | None:
    rule = next((rule for rule in row.facts if rule.required and rule.name not in c.facts), None)
    if rule is None:
        return None
    detail = say(
        "{name} requires the fact {name2}: give {values}",
        name=row.name,
        name2=rule.name,
        values=VALUES[FACTS[rule.name]],
    )
    return Refusal("invalid", "fact-missing", detail, row.article_of(rule), f"facts.{rule.name}")


def _refuse_excluded(t: Tournament, c: MakeRuling, row: InfractionRule, game: Game | None) -> Refusal | None:
    """Return the refusal ``no-infraction`` if the facts rule it out by its own article, or None."""
    rules = rules_against(row.facts, c.facts, c.player)
    if not rules:
        return None
    first = rules[0]
    facts = together(say("{name} is {values}", name=r.name, values=str(c.facts[r.name]).lower()) for r in rules)
    otherwise = citation(first.otherwise).message
    detail = say("this is not {name}, because {facts}: {otherwise}", name=row.name, facts=facts, otherwise=otherwise)
    see = f"/v1/tournaments/{t.id}/rulebook"
    if game is not None and c.facts[first.name] == OUTSIDER:
        see = f"/v1/games/{game.game}/decision"
    return Refusal("rule", "no-infraction", detail, row.article_of(first), f"facts.{first.name}", see)


def _refuse_contradicted(t: Tournament, c: MakeRuling, row: InfractionRule, game: Game | None) -> Refusal | None:
    """Return the refusal of a ``repeated`` that contradicts the log, or None.

    The fact states whether the same infraction was ruled on before in the game.
    """
    stated = c.facts.get("repeated")
    if stated is None or game is None:
        return None
    before = next(
        (
            r.event.ruling
            for r in t.rulings.values()
            if (r.event.game, r.event.player, r.event.infraction) == (game.game, c.player, row.name)
            and t.is_in_force(r.event.ruling)
        ),
        None,
    )
    if stated is (before is not None):
        return None
    what = (
        say("the log has no earlier ruling")
        if before is None
        else say("ruling {before} was already made for this infraction", before=before)
    )
    article = next(row.article_of(rule) for rule in row.facts if rule.name == "repeated")
    detail = say(
        "repeated is {lower}, but in {game} {what}; without this fact, it is counted from the record",
        lower=str(stated).lower(),
        game=game.game,
        what=what,
    )
    return Refusal("rule", "fact-contradicts", detail, article, "facts.repeated", f"/v1/tournaments/{t.id}/rulings")
