"""Words that sentences and pages are made of: byes, effects of rulings, time controls, texts written with a line."""

from shared.core import events as ev
from shared.core.effects import EFFECTS
from shared.core.events import Data
from shared.core.stage_rules import StageRule
from shared.core.terms import TextRef, TimeControl
from shared.web.page import marks, points

BYES = {
    "U": "the pairing-allocated bye",
    "F": "a full-point bye",
    "H": "a half-point bye",
    "Z": "a zero-point bye",
}


def effect(e: ev.Effect) -> str:
    """The effect of a ruling, in words."""
    name = EFFECTS[e.kind].words
    if e.kind == "set_marks" and e.white is not None and e.black is not None:
        return f"{name}: {marks(e.white, e.black)}"
    if e.points is not None:
        return f"{points(e.points)} {name}"
    if e.clock is not None:
        return f"{name}: {e.clock} s"
    if e.rounds:
        return f"{name} {', '.join(map(str, e.rounds))}"
    return name


def control(time: TimeControl) -> str:
    """A time control in words: "40 moves in 90 min, then all moves in 15 min; 30 s added with each move"."""
    periods = ", then ".join(f"{p.moves or 'all'} moves in {_long(p.seconds)}" for p in time.periods)
    if time.periods and time.periods[-1].moves:
        periods += ", again and again"
    added = f"{time.increment} s added with each move" if time.increment else ""
    always = f"{time.byo_yomi} s a move" if time.byo_yomi else ""
    after = f"clocks after {_long(time.clocks_after)}" if time.clocks_after else ""
    return "; ".join(filter(None, (after, periods, added, always)))


def stage(rule: StageRule) -> str:
    """A stage in words: "final: knockout, best of 7, 1 extra game; all moves in 15 min"."""
    length = f"best of {rule.games}" if rule.best else number_of(rule.games, "game") if rule.games > 1 else ""
    parts = (
        rule.format.replace("_", " "),
        number_of(rule.rounds, "round") if rule.rounds else "",
        number_of(rule.groups, "group") if rule.groups else "",
        length,
        number_of(rule.extra, "extra game") if rule.extra else "",
        f"{rule.qualifiers} go on" if rule.qualifiers else "",
    )
    time = f"; {control(rule.time)}" if rule.time else ""
    return f"{rule.name.replace('_', ' ')}: {', '.join(filter(None, parts))}{time}"


def _long(seconds: int) -> str:
    return f"{seconds} s" if seconds % 60 else f"{seconds // 60} min"


def texts(data: Data) -> tuple[TextRef, ...]:
    """Texts written with a line: reasons, notes, grounds. Names are not among them."""
    fields = ("reason", "note", "grounds")
    return tuple(ref for name in fields if isinstance(ref := getattr(data, name, None), TextRef))


def number_of(number: int, thing: str) -> str:
    """So many of a thing: 1 board, 3 boards."""
    return f"{number} {thing}" + ("" if number == 1 else "s")
