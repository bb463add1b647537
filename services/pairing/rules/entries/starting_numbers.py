"""Starting numbers (C.04.2): an order of strength, and its corrections."""

from collections import Counter

from services.pairing.rules.commands import AssignNumbers
from services.pairing.rules.entries.entry_lookup import entry_of
from shared.core.events import Decision, StartingNumber, StartingNumbersAssigned
from shared.core.language.messages import say
from shared.core.rounds.stages import drawn_order, stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.entities import Player
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal

TITLES = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
"""FIDE titles in the order of C.04.2. Players without a title come after them."""


def assign(t: Tournament, c: AssignNumbers) -> Decision | Refusal:
    """Assign numbers to all players by strength or by lot (002-X 20.2: 重新制签), or correct the given numbers.

    Refusals: ``numbers-fixed`` once numbers are final: in a table or a bracket when round 1 is paired, else when the
    round is paired that the regulations set; ``nobody-entered``, ``unknown-player``, ``number-taken``, ``invalid-number``.
    """
    fixed = numbers_fixed(t)
    if fixed is not None:
        return fixed
    numbers = c.numbers
    if numbers is None:
        numbers = number_by_lot(t, c.seed) if c.seed else number_by_strength(t)
    if not numbers:
        return Refusal("rule", "nobody-entered", say("the tournament has no players to number"))
    seed = c.seed if c.numbers is None else 0
    return _refusal(t, numbers) or Decision((StartingNumbersAssigned(numbers, seed),))


def numbers_fixed(t: Tournament) -> Refusal | None:
    """Return why starting numbers are final, or None while they may be corrected."""
    until = 1 if not FORMATS[stage_now(t).format].paired_freely else t.regulations.pairing.starting_numbers_until
    if t.rounds_paired() < until:
        return None
    detail = say(
        "round {rounds_paired} has been paired; starting numbers can be corrected only until round {until} is paired",
        rounds_paired=t.rounds_paired(),
        until=until,
    )
    return Refusal("rule", "numbers-fixed", detail, "C.04.2", where="starting_number")


def number_by_strength(t: Tournament) -> tuple[StartingNumber, ...]:
    """Return numbers from 1 by rating, then title, then order of entry.

    Names are not used, because the log does not contain them.
    """
    order = sorted(t.players.values(), key=strength)
    return tuple(StartingNumber(p.player, n) for n, p in enumerate(order, 1))


def number_by_lot(t: Tournament, seed: int) -> tuple[StartingNumber, ...]:
    """Return numbers from 1 in the order drawn from ``seed``. Players who have left do not draw and come last."""
    here = sorted(p for p, entry in t.players.items() if entry.left_after is None)
    gone = sorted(t.players.keys() - set(here))
    return tuple(StartingNumber(PlayerId(p), n) for n, p in enumerate((*drawn_order(seed, here), *gone), 1))


def strength(p: Player) -> tuple[int, int, int]:
    """Return the key of the order of strength: rating, title, order of entry."""
    title = TITLES.index(p.title) if p.title in TITLES else len(TITLES)
    return -(p.rating or 0), title, p.player


def _refusal(t: Tournament, numbers: tuple[StartingNumber, ...]) -> Refusal | None:
    for n in numbers:
        entry = entry_of(t, n.player, "numbers")
        if isinstance(entry, Refusal):
            return entry
        if n.number < 1:
            detail = say("invalid starting number {number}", number=n.number)
            return Refusal("invalid", "invalid-number", detail, where="numbers")
    numbers_of = {p.player: p.starting_number for p in t.players.values()} | {n.player: n.number for n in numbers}
    twice = sorted(n for n, times in Counter(numbers_of.values()).items() if times > 1)
    if twice or len({n.player for n in numbers}) < len(numbers):
        named = tuple(twice) or say("one player")
        return Refusal("rule", "number-taken", say("numbered twice: {named}", named=named), "C.04.2", where="numbers")
    return None
