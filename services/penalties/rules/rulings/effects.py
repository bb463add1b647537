"""Effects chosen by an authority: each field that the row needs, no other, within its bounds."""

from dataclasses import fields

from shared.core.events import Effect
from shared.core.language.messages import Message, say, together
from shared.core.rulebook.effects import EFFECTS
from shared.core.state.outcomes import refuse_more_together
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.core.values.bounds import ROUND

_FIELDS = tuple(field.name for field in fields(Effect) if field.name != "kind")


def effect_refusal(t: Tournament, effect: Effect) -> Refusal | None:
    """Return the refusal ``bad-effect`` of an effect that an authority chose, or None.

    It is refused if it lacks a field that its kind needs, has any other field, exceeds the bounds, or cannot be chosen.
    """
    row = EFFECTS[effect.kind]
    if not row.chosen:
        return _refuse(say("a foul cannot be chosen as an effect: report it by its infraction"), "effect.kind")
    for name in _FIELDS:
        value = getattr(effect, name)
        if name in row.fields and value in (None, (), 0):
            return _refuse(
                say("{effect} needs {fields}", effect=effect.kind, fields=together(row.fields)), f"effect.{name}"
            )
        if name not in row.fields and value not in (None, ()):
            return _refuse(say("{effect} has no {name}", effect=effect.kind, name=name), f"effect.{name}")
    return _marks(t, effect) or _rounds(t, effect)


def _marks(t: Tournament, effect: Effect) -> Refusal | None:
    most = t.regulations.points.win
    for name, mark in (("white", effect.white), ("black", effect.black)):
        if mark is not None and not 0 <= mark.points <= most:
            return _refuse(say("a side's points in a game must be 0 to {most}", most=f"{most / 2:g}"), f"effect.{name}")
    if effect.white is None or effect.black is None:
        return None
    if t.regulations.decisions >= 3 and effect.white.played != effect.black.played:
        return _refuse(say("played must be the same for both sides"), "effect")
    return refuse_more_together(t.regulations, effect.white, effect.black, "effect")


def _rounds(t: Tournament, effect: Effect) -> Refusal | None:
    rounds = effect.rounds
    last = ROUND.high if t.regulations.stages else t.announced.rounds
    if rounds and (sorted(set(rounds)) != list(rounds) or rounds[0] < 1 or rounds[-1] > last):
        return _refuse(say("list rounds once each, in order, from 1 to {last}", last=last), "effect.rounds")
    return None


def _refuse(detail: Message, where: str) -> Refusal:
    return Refusal("invalid", "bad-effect", detail, where=where)
