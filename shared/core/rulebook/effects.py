"""The effects of rulings: a name in `EffectKind` and one row per effect. The code for results and pairings applies them.

Standard library only.
"""

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
