"""The words for values of rulesets: the names of the values, and what they are set to; also effects of rulings."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from shared.core.events import RulingMade
from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.colours import colours_of
from shared.core.readings.vocabulary import COUNTERS, FINDINGS, FORMATS, GAMES, ROLES, RUNGS, display_name
from shared.core.rulebook.effects import EFFECTS, EffectKind
from shared.core.rulebook.regulations import Regulations, Value
from shared.core.state.outcomes import notation_of
from shared.core.state.tournament import TournamentState
from shared.core.terms import Side
from shared.http.language.catalogue import CHINESE
from shared.http.language.language import language
from shared.regulations.value_names import value_names
from shared.web.markup import full_width
from shared.web.names import called_in
from shared.web.result_words import marks, points, result_called

_MEMBERS: dict[str, Mapping[Any, Message]] = {
    "game": GAMES,
    "games": GAMES,
    "formats": FORMATS,
    "roles": ROLES,
    "finding": FINDINGS,
}
"""Closed sets and the words for their members, by the last part of a value's path."""
_CODES = ("tiebreaks", "engine")
"""Last parts of paths whose values have no words: codes and names of programs."""
_INFRACTIONS = ("infraction", "infractions", "counts_as")
ENGLISH_INFRACTIONS: Mapping[str, Message] = {
    "abuse": say("uncivil language"),
    "adjusting": say("adjusting pieces without leave"),
    "advice": say("conduct that receives advice"),
    "breach_of_rules": say("breach of the rules of play"),
    "conduct": say("breach of the players' notice"),
    "consulting": say("consulting sources or analysing"),
    "distracting": say("distracting the opponent"),
    "disturbing": say("disturbing the opponent"),
    "flag": say("fallen flag"),
    "obstructing": say("obstructing the game"),
    "over_step_time": say("exceeding the time for a move"),
    "telephone": say("using a telephone"),
}
"""Name of an infraction -> its words in English, if the name alone is unclear."""


def value_name(path: str) -> Message:
    """Return the name of a value of a ruleset, or of a table of rows."""
    return Message(value_names()[path].name)


def value_words(one: Regulations, path: str, value: Value) -> Message:
    """Return the words for a value at a path of the ruleset ``one``. Numbers and codes are unchanged."""
    said = value_names()[path].word(value)
    if said is not None:
        return Message(said)
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, tuple):
        return say("{names}", names=tuple(_member(one, path, name) for name in value)) if value else say("none")
    if isinstance(value, float):
        return say("{name}", name=f"{value:g}")
    return _member(one, path, value) if isinstance(value, str) else say("{name}", name=str(value))


def _member(one: Regulations, path: str, name: str) -> Message:
    said = value_names()[path].words.get(name)
    if said is not None:
        return Message(said)
    kind = path.rpartition(".")[2]
    if kind in _INFRACTIONS:
        return infraction(one, name)
    if kind in _CODES:
        return say("{name}", name=Markup("<code>{}</code>").format(name))
    return _MEMBERS.get(kind, {}).get(name) or say("{name}", name=name)


def infraction(one: Regulations | None, name: str) -> Message:
    """Return the rulebook's name of an infraction, or of a step of its ladder, in the reader's language."""
    rows = () if one is None else one.rulebook.infractions
    row = next((row for row in rows if row.name == name), None)
    return display_name(RUNGS, name) if row is None else infraction_name(name, row.chinese)


def infraction_name(name: str, chinese: str) -> Message:
    """Return the Chinese name that a rulebook gives an infraction, for readers of Chinese; else its name in English."""
    english = ENGLISH_INFRACTIONS.get(name, name.replace("_", " "))
    return say("{name}", name=(language() == CHINESE and full_width(chinese)) or english)


def counter_name(one: Regulations | None, counter: str) -> Message:
    """Return the name of a counter: that of the rulebook's infraction of this name (技术犯规, 000-B 注意 8), or its own."""
    named = one is not None and any(row.name == counter for row in one.rulebook.infractions)
    return infraction(one, counter) if named else display_name(COUNTERS, counter)


def effect_words(one: Regulations | None, kind: EffectKind, counter: str | None = None) -> Message:
    """Return the words for an effect that changes ``counter``.

    An effect that is only counted has the word of its rulebook: 犯规, 违例 or 劝告 (000-A 4, 7, 7.1).
    """
    if counter is not None and kind == "foul":
        return say("counts as a {infraction}", infraction=counter_name(one, counter))
    return COUNTERS["advice"] if (kind, counter) == ("warn", "advice") else EFFECTS[kind].words


def effect(t: TournamentState, made: RulingMade) -> Message:
    """Return the effect of a ruling, as the ruleset in force calls it."""
    e = made.effect
    name = effect_words(t.regulations, e.kind, made.counter)
    if e.kind == "set_marks" and e.white is not None and e.black is not None:
        shown = marks(e.white, e.black)
        points_now, game = t.regulations and t.regulations.points, made.game and t.games.get(made.game)
        notation = points_now and notation_of(points_now, e.white, e.black)
        if game and notation:
            players: dict[Side, MessageFact] = {"white": called_in({}, game.white), "black": called_in({}, game.black)}
            won = result_called(colours_of(t, game), notation, players)
            return say("{effect}: {marks}, {won}", effect=name, marks=shown, won=won)
        return say("{effect}: {marks}", effect=name, marks=shown)
    if e.points is not None:
        return say("{number} {effect}", number=points(e.points), effect=name)
    if e.clock is not None:
        return say("{effect}: {clock} s", effect=name, clock=e.clock)
    if e.rounds:
        return say("{effect} {rounds}", effect=name, rounds=e.rounds)
    return name
