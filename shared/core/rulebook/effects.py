"""The effects of rulings, and the facts that infractions require. Standard library only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.core.language.messages import Message, say

EffectKind = Literal["warn", "foul", "adjust_clock", "set_marks", "adjust_points", "exclude", "expel"]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """The name of an effect (``words``), and the ``fields`` of `Effect` that it requires.

    ``chosen``: an authority may choose it if the rulebook leaves the effect open; its name is then an act that the rulebook
    grants. ``fixed``: a rulebook may fix it for an infraction or a step of its ladder, because it needs no other value or
    the game provides them. ``needs_game``: it is imposed only in a game. ``until_decided``: it has no meaning in a game that a
    ruling has decided, and is due if that ruling is annulled. ``bars``: it is a disqualification 取消资格 (002-X 18.2, 18.3).
    """

    words: Message
    fields: tuple[str, ...] = ()
    chosen: bool = True
    fixed: bool = False
    needs_game: bool = False
    until_decided: bool = False
    bars: bool = False


EFFECTS: dict[EffectKind, EffectRow] = {
    "warn": EffectRow(say("a warning"), fixed=True),
    "foul": EffectRow(say("an infraction that counts"), chosen=False, fixed=True, needs_game=True),
    "adjust_clock": EffectRow(say("time on the clock"), ("clock",), needs_game=True, until_decided=True),
    "set_marks": EffectRow(
        say("the result of the game"), ("white", "black"), fixed=True, needs_game=True, until_decided=True, bars=True
    ),
    "adjust_points": EffectRow(say("points"), ("points",)),
    "exclude": EffectRow(say("exclusion from rounds"), ("rounds",), bars=True),
    "expel": EffectRow(say("expulsion"), fixed=True, bars=True),
}
REMOVALS: tuple[EffectKind, ...] = ("exclude", "expel")
"""The effects that remove a player from rounds or from the event (002-X 18.2, 18.3)."""
CHOSEN: tuple[EffectKind, ...] = tuple(kind for kind, row in EFFECTS.items() if row.chosen)
"""The effects that an authority may choose; a foul is called by naming the infraction."""


FactName = Literal[
    "seconds_left",
    "missed_in_a_row",
    "opponent_passed",
    "opponent_moved",
    "consent",
    "own_time",
    "repeated",
    "grave",
    "by",
]
FactType = Literal["seconds", "count", "boolean", "player"]
Fact = bool | int | str
"""The value of a fact: true or false, seconds or a count from 0 on, the number of an entry, or `OUTSIDER`."""
OUTSIDER = "outsider"

FACTS: dict[FactName, FactType] = {
    "seconds_left": "seconds",
    "missed_in_a_row": "count",
    "opponent_passed": "boolean",
    "opponent_moved": "boolean",
    "consent": "boolean",
    "own_time": "boolean",
    "repeated": "boolean",
    "grave": "boolean",
    "by": "player",
}
"""The facts that reports may contain, and the type of each."""


@dataclass(frozen=True, slots=True)
class FactRule:
    """A fact that an infraction's article requires. ``article``: its own article, if it differs.

    ``required``: a report without it is refused. The act is not an infraction if the fact differs from ``holds`` (true or
    false) or is below ``least``. If both are None, any value is accepted and stored with the ruling. A ``player`` must be the
    accused. ``either``: it is not an infraction only if all facts marked so are reported and contradict it. ``otherwise``: the
    conduct allowed then. ``each``: the infraction counts once per that many of a ``count`` (002-X 7.1: 每连续漏记4着). If 0, it
    counts once.
    """

    name: FactName
    article: str = ""
    required: bool = True
    holds: bool | None = None
    least: int | None = None
    either: bool = False
    otherwise: str = ""
    each: int = 0

    def times(self, facts: Mapping[str, Fact]) -> int:
        """Return how often these facts make the infraction count; at least once."""
        return max(1, int(facts[self.name]) // self.each) if self.each and self.name in facts else 1


def rules_against(rules: Sequence[FactRule], facts: Mapping[str, Fact], player: int | None) -> tuple[FactRule, ...]:
    """Return the rules whose facts show that ``player`` did not commit an infraction, or an empty tuple.

    ``rules``: those of the infraction. ``facts``: the reported values by name.
    """
    contradicted = [rule for rule in rules if rule.name in facts and _speaks_against(rule, facts[rule.name], player)]
    decisive = tuple(rule for rule in contradicted if not rule.either)
    either = tuple(rule for rule in rules if rule.either)
    return decisive or (either if all(rule in contradicted for rule in either) else ())


def _speaks_against(rule: FactRule, value: Fact, player: int | None) -> bool:
    if FACTS[rule.name] == "player":
        return value != player
    return (rule.holds is not None and value is not rule.holds) or (rule.least is not None and int(value) < rule.least)
