"""The correction of an entry, and its effect on the starting numbers (C.04.2)."""

from typing import get_args

from services.pairing.rules.commands import CorrectEntry
from services.pairing.rules.entries.entry_lookup import entry_of
from services.pairing.rules.entries.starting_numbers import numbers_fixed, strength
from shared.core.events import Decision, EntryCorrected, EntryMember, StartingNumber, StartingNumbersAssigned
from shared.core.language.messages import say
from shared.core.state.entities import Player
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal
from shared.core.values.bounds import ENTRY

CORRECTABLE: tuple[EntryMember, ...] = get_args(EntryMember)


def correct(t: Tournament, c: CorrectEntry) -> Decision | Refusal:
    """Decide a correction of an entry, at any time. Existing pairings do not change.

    Before the first round is paired, all starting numbers are updated if they are in the order of strength and were not
    drawn. A requested number goes to the player, and the players between the old and the new number move by one place.
    Refusals: ``unknown-player``, ``nothing-corrected``, ``invalid-number``, ``numbers-fixed``.
    """
    entry = entry_of(t, c.player)
    if isinstance(entry, Refusal):
        return entry
    after = entry._replace(**c.values)
    asked = c.starting_number
    if asked is not None and not 1 <= asked <= ENTRY.high:
        detail = say("IDs and starting numbers must not be greater than {most_players}", most_players=ENTRY.high)
        return Refusal("invalid", "invalid-number", detail, "TRF, columns 5-8", where="starting_number")
    if after == entry and asked in (None, entry.starting_number):
        return Refusal("rule", "nothing-corrected", say("the entry already has these values"), where="player")
    if asked is None:
        numbers = () if t.rounds_paired() else _updated_numbers(t, entry, after)
    elif asked != entry.starting_number:
        fixed = numbers_fixed(t)
        if fixed is not None:
            return fixed
        numbers = _move_number(t, c.player, asked)
    else:
        numbers = ()
    changed = tuple(name for name in CORRECTABLE if getattr(after, name) != getattr(entry, name))
    corrected = EntryCorrected(
        c.player, changed, c.reason, after.name, after.rating, after.title, after.club, after.federation, after.sex,
        after.birth_year, after.fide_id, asked,
    )  # fmt: skip
    return Decision((corrected, StartingNumbersAssigned(numbers)) if numbers else (corrected,))


def _updated_numbers(t: Tournament, entry: Player, after: Player) -> tuple[StartingNumber, ...]:
    """Return the new starting numbers of all players whose number changes if ``entry`` is corrected to ``after``.

    Empty if numbers were drawn by lot or are not in the order of strength.
    """
    order = _players_by_number(t)
    if t.numbers_drawn or strength(entry) == strength(after) or order != sorted(order, key=strength):
        return ()
    return _reassign_numbers(order, sorted((after if p.player == after.player else p for p in order), key=strength))


def _move_number(t: Tournament, player: PlayerId, number: int) -> tuple[StartingNumber, ...]:
    order = _players_by_number(t)
    taken = [p.starting_number for p in order]
    if number not in taken:
        return (StartingNumber(player, number),)
    others = [p for p in order if p.player != player]
    others.insert(taken.index(number), t.players[player])
    return _reassign_numbers(order, others)


def _players_by_number(t: Tournament) -> list[Player]:
    return sorted(t.players.values(), key=lambda p: p.starting_number)


def _reassign_numbers(before: list[Player], now: list[Player]) -> tuple[StartingNumber, ...]:
    """Return the changed numbers if the players ``now``, in this order, get the starting numbers of the players ``before``."""
    return tuple(
        StartingNumber(p.player, was.starting_number)
        for was, p in zip(before, now, strict=True)
        if p.starting_number != was.starting_number
    )
