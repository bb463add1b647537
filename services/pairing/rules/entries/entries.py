"""Entries, including late ones, and the check-in of the competition (签到): players confirm that they are present."""

from collections import Counter
from collections.abc import Container, Sequence

from services.pairing.rules.commands import CheckInPlayers, EnterPlayers
from services.pairing.rules.entries.entry_lookup import entry_present
from services.pairing.rules.entries.identity import refuse_unnamed_federation
from shared.core.events import Decision, IdentityStated, PlayerCheckedIn, PlayerEntered
from shared.core.language.messages import say, term
from shared.core.readings.removal_refusals import refuse_barred
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal
from shared.core.values.bounds import ENTRY
from shared.desk.rules_port import copy_fields


def enter(t: Tournament, c: EnterPlayers) -> Decision | Refusal:
    """Enter players, either all or none.

    IDs are used as given, else the next free one. The starting number is the ID if it is free, else the next free
    number. Late entries are paired from the next round on (C.04.2). A table or a bracket accepts no late entries.
    Refusals: ``nobody-entered``, ``too-late``, ``player-exists`` (lists all of them), ``invalid-id``,
    ``too-many-players``, ``national-id-without-federation``.
    """
    if not c.players:
        return Refusal("invalid", "nobody-entered", say("select at least one player"), where="players")
    if t.rounds_paired() and not FORMATS[stage_now(t).format].paired_freely:
        detail = say(
            "the format {format} does not allow late entries after round 1 has been paired",
            format=term(stage_now(t).format),
        )
        return Refusal("rule", "too-late", detail, "002-X 11", where="players")
    given = [e.player for e in c.players if e.player is not None]
    refusal = refuse_ids(given, t.players, "player-exists", "players")
    if refusal is not None:
        return refusal
    next_id = max([0, *t.players, *given]) + 1
    numbers = {p.starting_number for p in t.players.values()}
    entered, identities = [], []
    for entry in c.players:
        refusal = refuse_unnamed_federation(entry.national_id, entry.federation)
        if refusal is not None:
            return refusal
        player = entry.player
        if player is None:
            player, next_id = PlayerId(next_id), next_id + 1
        number = player if player not in numbers else max(numbers) + 1
        numbers.add(number)
        numbered = {"player": player, "starting_number": number, "first_round": t.rounds_paired() + 1}
        entered.append(copy_fields(PlayerEntered, entry, **numbered))
        if entry.national_id is not None or entry.public_history:
            identities.append(IdentityStated(player, entry.national_id, entry.public_history))
    if max(next_id - 1, *numbers) > ENTRY.high:
        detail = say("IDs and starting numbers must not be greater than {most_players}", most_players=ENTRY.high)
        return Refusal("rule", "too-many-players", detail, "TRF, columns 5-8", where="players")
    return Decision((*entered, *identities))


def check_in(t: Tournament, c: CheckInPlayers) -> Decision | Refusal:
    """Decide which players have checked in, and which check-ins are undone; either all or none.

    Players whose state would not change are left out. Players check in only themselves. Refusals: ``another-players``,
    ``nobody-checked-in``, ``unknown-player``, ``player-left``, ``player-removed``.
    """
    if c.actor.role == "player" and (c.absent or [str(player) for player in c.came] != [c.actor.name]):
        detail = say("player {name} may check in only themselves", name=c.actor.name)
        return Refusal("authority", "another-players", detail, where="came")
    for player in (*c.came, *c.absent):
        entry = entry_present(t, player)
        if isinstance(entry, Refusal):
            return entry
    for player in c.came:
        barred = refuse_barred(t, player, t.rounds_paired() + 1, "came")
        if barred is not None:
            return barred
    came = [player for player in dict.fromkeys(c.came) if player not in t.checked_in]
    absent = [player for player in dict.fromkeys(c.absent) if player in t.checked_in and player not in c.came]
    if not came and not absent:
        return Refusal(
            "rule", "nobody-checked-in", say("all selected players already have this check-in record"), where="came"
        )
    return Decision((*map(PlayerCheckedIn, came), *(PlayerCheckedIn(player, here=False) for player in absent)))


def refuse_ids(given: Sequence[int], entered: Container[int], exists: str, where: str) -> Refusal | None:
    """Return why these IDs cannot be given: ``invalid-id``, or the code ``exists`` with IDs already entered or repeated."""
    if any(id < 1 for id in given):
        return Refusal("invalid", "invalid-id", say("an ID must be a number, at least 1"), where=where)
    known = sorted(id for id, times in Counter(given).items() if id in entered or times > 1)
    if known:
        named = tuple(known)
        return Refusal(
            "rule", exists, say("these IDs are already entered, or are listed twice: {named}", named=named), where=where
        )
    return None
