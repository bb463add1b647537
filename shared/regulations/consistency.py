"""Unused values of a ruleset, and names that it does not define: a sentence for each."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args

import msgspec

from shared.core.events.games import FindingKind
from shared.core.language.hints import field_types
from shared.core.readings.authority import DECIDE_GAME, RULEBOOK_ACTS
from shared.core.rulebook.effects import EFFECTS, FACTS, EffectKind
from shared.core.rulebook.game_rules import ChessRules, GameRules, PredictionRules, XiangqiRules
from shared.core.rulebook.regulations import (
    ADJUSTING,
    ARRIVAL_INFRACTIONS,
    BREAK_INFRACTIONS,
    FOUL_COUNTER,
    FindingRule,
    LadderRule,
    Regulations,
    Rulebook,
)
from shared.core.rulebook.time_faults import LONGEST, time_faults
from shared.core.state.outcomes import NOTATION
from shared.core.terms import HalfPoints, Seconds, TimeControl
from shared.regulations.changeable import changeable, row_name


def inconsistencies(regulations: Regulations) -> Iterator[str]:
    """Return a sentence for each inconsistency, with its table and key."""
    book = regulations.rulebook
    yield from _counters(book)
    yield from _infractions(regulations)
    yield from _facts(book)
    yield from _effects(book)
    yield from _results(book)
    yield from _findings(book)
    yield from _lateness(book)
    yield from _named_twice("rulebook.infractions", "name", (row.name for row in book.infractions))
    yield from _named_twice("rulebook.findings", "name", (row.name or row.finding for row in book.findings))
    yield from _named_twice("rulebook.ladder", "rule", (row.rule for row in book.ladder))
    yield from _named_twice("rulebook.authority", "act", (row.act for row in book.authority))
    yield from _games(regulations)
    yield from _infractions_of_games(regulations)
    yield from _counted_as(regulations)
    yield from _adjusting(regulations)
    yield from _worth(regulations)
    yield from _articles(regulations)
    yield from _pairing(regulations)
    players = changeable()["players.allowed_acts"]
    if not players.takes(regulations.players.allowed_acts):
        yield f"players: allowed_acts: must be {players.bounds}"
    yield from out_of_bounds(regulations)


def _counters(book: Rulebook) -> Iterator[str]:
    """Infractions that move a counter nobody reads, and rungs that read one nobody moves.

    The counter of fouls is read without a rung too: the tie-break FOULS counts it.
    """
    moved = {row.counter for row in book.infractions} | {rule.moves for rule in book.ladder}
    read = {row.counter for row in book.ladder} | {FOUL_COUNTER}
    for row in book.infractions:
        if row.counter is not None and row.counter not in read:
            yield f"rulebook.infractions ({row.name}): no rule of the ladder reads the counter {row.counter!r}"
    for rule in book.ladder:
        if rule.counter not in moved:
            yield f"rulebook.ladder ({rule.rule}): no infraction moves the counter {rule.counter!r}"
        if rule.moves == rule.counter:
            yield f"rulebook.ladder ({rule.rule}): moves: {rule.moves!r} is the counter that it reads itself"
        elif rule.moves is not None and rule.moves not in read:
            yield f"rulebook.ladder ({rule.rule}): moves: no rule of the ladder reads the counter {rule.moves!r}"


def _infractions(regulations: Regulations) -> Iterator[str]:
    """Infractions that are named, or looked for by the rules, and that the rulebook has not."""
    book, discipline = regulations.rulebook, regulations.ranking.discipline
    known = {row.name for row in book.infractions}
    for row in book.findings:
        if row.infraction not in known:
            yield f"rulebook.findings ({row.finding}): infraction {row.infraction!r} is not in the rulebook"
    for name in () if discipline is None else discipline.infractions:
        if name not in known:
            yield f"ranking.discipline: infractions: {name!r} is not in the rulebook"
    for name in ARRIVAL_INFRACTIONS:
        if name not in known:
            yield f"rulebook.lateness: the infraction {name!r}, which follows from arrivals, is missing"
    for name in () if book.breaks is None else dict.fromkeys((*BREAK_INFRACTIONS, book.breaks.further)):
        if name not in known:
            yield f"rulebook.breaks: the infraction {name!r}, which follows from breaks, is missing"


def _facts(book: Rulebook) -> Iterator[str]:
    """Facts that are named twice, and conditions that a fact of their type cannot meet or that say no way out."""
    for row in book.infractions:
        place = f"rulebook.infractions ({row.name}): facts"
        yield from _named_twice(place, "name", (fact.name for fact in row.facts))
        for fact in row.facts:
            kind = FACTS[fact.name]
            if fact.holds is not None and kind != "boolean":
                yield f"{place}: {fact.name}: holds is for true or false facts, this is of type {kind}"
            if fact.least is not None and kind not in ("seconds", "count"):
                yield f"{place}: {fact.name}: least is for numbers, this is of type {kind}"
            if fact.each and (kind != "count" or row.counter is None):
                yield f"{place}: {fact.name}: each is for a count, of an infraction that moves a counter"
            conditional = fact.holds is not None or fact.least is not None or kind == "player"
            if fact.either and not conditional:
                yield f"{place}: {fact.name}: either is for a fact that holds or has a least"
            if bool(fact.otherwise) != conditional:
                yield f"{place}: {fact.name}: otherwise says what is allowed, and only where a condition is"


def _effects(book: Rulebook) -> Iterator[str]:
    """Yield an error for each effect whose fields a ruleset cannot give, and for each unknown act."""
    for infraction in book.infractions:
        if infraction.effect is not None and not EFFECTS[infraction.effect].fixed:
            yield f"rulebook.infractions ({infraction.name}): effect: {_no_fields(infraction.effect)}"
    for rule in book.ladder:
        if not EFFECTS[rule.effect].fixed:
            yield f"rulebook.ladder ({rule.rule}): effect: {_no_fields(rule.effect)}"
    for row in book.authority:
        if row.act not in RULEBOOK_ACTS:
            yield f"rulebook.authority ({row.act}): act: there are {', '.join(RULEBOOK_ACTS)}"


def _no_fields(kind: EffectKind) -> str:
    return f"{kind!r} is not fixed here, it needs {' and '.join(EFFECTS[kind].fields)}"


def _results(book: Rulebook) -> Iterator[str]:
    """Yield results without a notation, and results that no one may give."""
    for row in book.infractions:
        for result in row.results:
            if result not in NOTATION:
                yield f"rulebook.infractions ({row.name}): results: there are {', '.join(NOTATION)}, not {result!r}"
        if row.results and DECIDE_GAME not in (authority.act for authority in book.authority):
            yield f"rulebook.infractions ({row.name}): results: rulebook.authority has no row {DECIDE_GAME!r}"


def _findings(book: Rulebook) -> Iterator[str]:
    """Yield an error for each row with an unknown finding, and for each row without consequence."""
    effects = {row.name: row.effect for row in book.infractions}
    for row in book.findings:
        if row.finding not in get_args(FindingKind):
            yield f"rulebook.findings ({row.finding}): games has no finding {row.finding!r}"
        if not row.clock and effects.get(row.infraction) is None:
            yield (
                f"rulebook.findings ({row.finding}): clock is missing: the infraction {row.infraction!r} "
                "has no effect of its own"
            )


def _lateness(book: Rulebook) -> Iterator[str]:
    """Seconds before the start that nothing counts from."""
    if book.lateness.before and book.lateness.counted_from == "turn":
        yield "rulebook.lateness: before is counted from the start, and counted_from is a turn"


def _named_twice(table: str, key: str, names: Iterable[str]) -> Iterator[str]:
    """Rows that nothing reads because an earlier one has the same name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{table}: two rows have the {key} {name!r}"
        seen.add(name)


def _games(regulations: Regulations) -> Iterator[str]:
    """Rows for games that the regulations have no rules for."""
    game, book = regulations.game, regulations.rulebook
    named = [("rulebook.findings", "games", name) for row in book.findings for name in row.games]
    named += [(f"rulebook.infractions ({row.name})", "games", name) for row in book.infractions for name in row.games]
    named += [(f"rulebook.ladder ({row.rule})", "games", name) for row in book.ladder for name in row.games]
    for table in ("times", "schemes", "offers"):
        named += [(f"game.{table}", "game", row.game) for row in getattr(game, table)]
    named += [
        (f"game.{table}", name, name) for table in ("flag_articles", "time_articles") for name in getattr(game, table)
    ]
    for place, key, name in named:
        if name not in game.rules:
            yield f"{place}: {key}: the table game.{name} is missing"


def _infractions_of_games(regulations: Regulations) -> Iterator[str]:
    """Yield findings in games without their infraction."""
    games = {row.name: set(row.games) for row in regulations.rulebook.infractions if row.games}
    for row in regulations.rulebook.findings:
        for game in sorted(
            set(row.games or regulations.game.rules) - games.get(row.infraction, set(regulations.game.rules))
        ):
            yield f"rulebook.findings ({row.finding}): infraction {row.infraction!r} does not exist in {game}"


def _counted_as(regulations: Regulations) -> Iterator[str]:
    """Yield an error for each infraction that counts as one missing in the rulebook or a game, or counting as another."""
    rows = {row.name: row for row in regulations.rulebook.infractions}
    for row in rows.values():
        place, other = f"rulebook.infractions ({row.name}): counts_as", rows.get(row.counts_as or row.name)
        if other is None:
            yield f"{place}: {row.counts_as!r} is not in the rulebook"
        elif other.counts_as not in (None, other.name):
            yield f"{place}: {other.name!r} counts as {other.counts_as!r} itself"
        elif other.games:
            for game in sorted(set(row.games or regulations.game.rules) - set(other.games)):
                yield f"{place}: {other.name!r} does not exist in {game}"


def _adjusting(regulations: Regulations) -> Iterator[str]:
    """Games in which adjusting is a violation that the rulebook does not have."""
    games = {row.name: row.games or tuple(regulations.game.rules) for row in regulations.rulebook.infractions}
    for game in regulations.game.rules:
        if regulations.game.adjusting(game) == "violation" and game not in games.get(ADJUSTING, ()):
            yield f"game.{game}: adjusting: the rulebook has no infraction {ADJUSTING!r} in {game}"


def _worth(regulations: Regulations) -> Iterator[str]:
    """Pieces of xiangqi that are not worth to each other what 002-X 25.3 says."""
    rules = regulations.game.rules.get("xiangqi")
    if not isinstance(rules, XiangqiRules):
        return
    worth = rules.worth
    if worth.advisor != worth.elephant:
        yield "game.xiangqi.worth: an advisor and an elephant are worth the same 士相(象)相等 (002-X 25.3)"
    if worth.horse != worth.cannon or worth.chariot != 2 * worth.horse:
        yield "game.xiangqi.worth: a horse and a cannon are worth the same, a chariot two of them (002-X 25.3)"


def _articles(regulations: Regulations) -> Iterator[str]:
    """Articles of a value that is not there."""
    values = msgspec.to_builtins(regulations)
    values["game"] |= values["game"].pop("rules")
    for path in regulations.articles:
        value: Any = values
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None or isinstance(value, dict):
            yield f"articles: {path!r} is the path of no value"


_ENGINES = {"dutch": {"2026": "gacrux", "2017": "py4swiss"}, "campus": {"2026": "rustworkx"}}
"""The engines of a system, by the edition of its rules."""


def _pairing(regulations: Regulations) -> Iterator[str]:
    """Yield a pairing system that no engine supports in this edition."""
    rules = regulations.pairing
    engines = _ENGINES[rules.system]
    if rules.edition not in engines:
        wanted = " or ".join(repr(edition) for edition in engines)
        yield f"pairing: edition: the system {rules.system!r} is paired by {wanted}, not {rules.edition!r}"
    elif rules.engine != engines[rules.edition]:
        wanted = engines[rules.edition]
        yield f"pairing: engine: the system {rules.system!r} is paired by {wanted!r}, not {rules.engine!r}"


MOST = 1000
"""Points, and whatever is counted: moves, rounds, occurrences, the worth of a piece."""
_OF_UNITS: dict[Any, tuple[int, int]] = {HalfPoints: (0, 2 * MOST), Seconds: (0, LONGEST)}
_OF_KEYS: dict[tuple[type, str], tuple[int, int]] = {
    (FindingRule, "clock"): (-LONGEST, LONGEST),
    (LadderRule, "count"): (1, MOST),
    (ChessRules, "repetitions"): (2, MOST),
    (XiangqiRules, "repetitions"): (2, MOST),
    (PredictionRules, "share_of_time"): (1, MOST),
}
"""Bounds that differ from those of the unit."""


def out_of_bounds(regulations: Regulations) -> Iterator[str]:
    """Yield a sentence for each number out of its bounds, with its path, and for each fault of a time control."""
    for path, value, (least, most) in _numbers(regulations, ""):
        row = changeable().get(path)
        if row is not None:
            if not row.takes(value):
                yield f"{path}: must be {row.bounds} ({row.article})"
        elif not least <= value <= most:
            yield f"{path}: must be {least} to {most}"
    for table in ("times", "schemes"):
        for time in getattr(regulations.game, table):
            for where, fault in time_faults(time):
                yield ".".join(filter(None, (f"game.{table}.{time.game}", where))) + f": {fault}"


def _numbers(table: Any, path: str) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Each number in a table and in those below it: its path, itself and the bounds of its unit."""
    hints = field_types(type(table))
    for field in fields(table):
        value, here = getattr(table, field.name), f"{path}{field.name}"
        if isinstance(table, GameRules) and field.name == "rules":
            for name, rules in value.items():
                yield from _numbers(rules, f"{path}{name}.")
        elif is_dataclass(value):
            yield from _numbers(value, f"{here}.")
        elif isinstance(value, tuple):
            for row in value:
                if is_dataclass(row) and not isinstance(row, TimeControl):
                    yield from _numbers(row, f"{here}.{row_name(row) or type(row).__name__}.")
        elif type(value) is int:
            yield here, value, _OF_KEYS.get((type(table), field.name), _OF_UNITS.get(hints[field.name], (0, MOST)))
