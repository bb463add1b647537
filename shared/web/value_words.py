"""The values of regulations in words: what they are called, what stands there, within which bounds."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from shared.core.language.messages import Message, say
from shared.core.readings.vocabulary import COUNTERS, FINDINGS, FORMATS, GAMES, ROLES, RUNGS, display_name
from shared.core.rulebook.effects import EFFECTS, EffectKind
from shared.core.rulebook.regulations import Regulations, Value
from shared.http.language.catalogue import CHINESE
from shared.http.language.language import language
from shared.regulations.value_names import value_names
from shared.web.markup import full_width

_MEMBERS: dict[str, Mapping[Any, Message]] = {
    "game": GAMES,
    "games": GAMES,
    "formats": FORMATS,
    "roles": ROLES,
    "finding": FINDINGS,
}
"""The closed set whose members a value names, by the last part of its path."""
_CODES = ("tiebreaks", "engine")
"""What has no word: codes and names of programs."""
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
"""Name of an infraction -> what an arbiter calls it, if the name alone does not say it."""


def value_name(path: str) -> Message:
    """What a value of regulations is called, or a table of rows."""
    return Message(value_names()[path].name)


def value_words(one: Regulations, path: str, value: Value) -> Message:
    """A value at a path of the regulations ``one``, in words; a number and a code as they are."""
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
    kind = path.rpartition(".")[2]
    if kind in _INFRACTIONS:
        return infraction(one, name)
    if kind in _CODES:
        return say("{name}", name=Markup("<code>{}</code>").format(name))
    return _MEMBERS.get(kind, {}).get(name) or say("{name}", name=name)


def infraction(one: Regulations | None, name: str) -> Message:
    """An infraction as the rulebook calls it in the reader's language, also a rung of its ladder."""
    rows = () if one is None else one.rulebook.infractions
    row = next((row for row in rows if row.name == name), None)
    return display_name(RUNGS, name) if row is None else infraction_name(name, row.chinese)


def infraction_name(name: str, chinese: str) -> Message:
    """Return the Chinese name that a rulebook gives an infraction, for readers of Chinese; else its name in English."""
    english = ENGLISH_INFRACTIONS.get(name, name.replace("_", " "))
    return say("{name}", name=(language() == CHINESE and full_width(chinese)) or english)


def counter_name(one: Regulations | None, counter: str) -> Message:
    """What a counter counts, as the rulebook calls it: by its infraction of the counter's name, as 技术犯规 (000-B 注意 8)."""
    named = one is not None and any(row.name == counter for row in one.rulebook.infractions)
    return infraction(one, counter) if named else display_name(COUNTERS, counter)


def effect_words(one: Regulations | None, kind: EffectKind, counter: str | None = None) -> Message:
    """What an effect is called that moves ``counter``: what is only counted by the word of its rulebook, 犯规, 违例 or 劝告
    (000-A 4, 7, 7.1)."""
    if counter is not None and kind == "foul":
        return say("counts as a {infraction}", infraction=counter_name(one, counter))
    return COUNTERS["advice"] if (kind, counter) == ("warn", "advice") else EFFECTS[kind].words
