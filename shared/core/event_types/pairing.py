"""Announcement, entries and teams, leaving, byes, rounds: the event types of pairing and how they change a state."""

from dataclasses import replace
from typing import Any, get_args

from shared.core import events as ev
from shared.core.event_types.event_type import NOTHING_YET, EventType, new_tuple, unchanged
from shared.core.language.characters import skeleton
from shared.core.state.entities import (
    Absence,
    Bye,
    Game,
    KeyInForce,
    Lineup,
    Lot,
    Official,
    Pairing,
    PlaceLot,
    Player,
    Team,
)
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.state.venue_notice import VenueNotice
from shared.core.state.visibility import Visibility
from shared.core.terms import BOUNDED_OFFICES, PAIRING, Role
from shared.core.trust.service_keys import keys_by_source

GAMES_OF_V3 = ("chess", "xiangqi", "go", "renju", "gomoku", "prediction")
"""The games whose rules may occur in events ``regulations.adopted`` up to v3."""


_ONLY: dict[Role, frozenset[Role]] = {role: frozenset((role,)) for role in get_args(Role)}
"""A set for each single role, shared: most officials hold one role, and a large event has many officials."""


def announce(t: TournamentState, e: ev.Event, d: ev.TournamentAnnounced) -> None:
    if t.announced is None:
        t.announced = d
        t.keys = {source: (KeyInForce(key, e.seq, PAIRING),) for source, key in keys_by_source(d.keys).items()}
        t.announcer = e.actor
        if d.offices >= 2:
            t.officials[e.actor] = Official(frozenset((e.role,)), None, (), e.seq)
            _note_look(t, e.actor)
        _complete(t)


def correct_tournament(t: TournamentState, e: ev.Event, d: ev.TournamentCorrected) -> None:
    if t.announced is not None:
        t.announced = replace(t.announced, **d.changes)


def set_listing(t: TournamentState, e: ev.Event, d: ev.ListingSet) -> None:
    t.listed = d.listed


def adopt_regulations(t: TournamentState, e: ev.Event, d: ev.RegulationsAdopted) -> None:
    if t.regulations is not None:
        t.regulations_before.append((e.seq, t.regulations))
    t.regulations = d.regulations
    t.regulations_seq = e.seq
    _complete(t)


def _rules_by_name(data: dict[str, Any]) -> dict[str, Any]:
    """Move each game's rules in adopted regulations into ``game.rules``. Until v3 they were members of ``game``, or null."""
    game = dict(data["regulations"]["game"])
    members = [name for name in GAMES_OF_V3 if name in game]
    rules = {name: rules for name in members if (rules := game.pop(name)) is not None}
    return data | {"regulations": data["regulations"] | {"game": game | {"rules": rules}}}


def _complete(t: TournamentState) -> None:
    """Turn the state into a `Tournament` once it is created and has regulations.

    The object is the same, because snapshots, copies and tables refer to it; only its class changes.
    """
    if t.announced is not None and t.regulations is not None:
        t.__class__ = Tournament


def _note_look(t: TournamentState, name: str) -> None:
    """Record how the login name of an official looks, so that one that looks like it is found without comparing all."""
    if t.offices >= BOUNDED_OFFICES:
        alike = t.looks.setdefault(skeleton(name), (name,))
        if name not in alike:
            t.looks[skeleton(name)] = (*alike, name)


def appoint(t: TournamentState, e: ev.Event, d: ev.OfficialAppointed) -> None:
    official = t.officials.get(d.official) if t.offices >= 2 else None
    if official is None:
        t.officials[d.official] = Official(_ONLY[d.role], d.person, d.boards, e.seq)
    else:
        boards = d.boards if d.role == "board" else official.boards
        t.officials[d.official] = Official(official.roles | {d.role}, d.person or official.person, boards, e.seq)
    t.dismissed.pop(d.official, None)
    _note_look(t, d.official)


def dismiss(t: TournamentState, e: ev.Event, d: ev.OfficialDismissed) -> None:
    t.officials.pop(d.official, None)
    t.dismissed[d.official] = e.seq
    _note_look(t, d.official)


def enter_player(t: TournamentState, e: ev.Event, d: ev.PlayerEntered) -> None:
    if d.player not in t.players:
        t.players[d.player] = Player(
            d.player, d.name, d.starting_number, d.first_round, d.rating, d.title, d.club, d.federation, e.seq,
            sex=d.sex, birth_year=d.birth_year, fide_id=d.fide_id,
        )  # fmt: skip


def correct_entry(t: TournamentState, e: ev.Event, d: ev.EntryCorrected) -> None:
    if d.player in t.players:
        t.players[d.player] = t.players[d.player]._replace(
            name=d.name, rating=d.rating, title=d.title, club=d.club, federation=d.federation, sex=d.sex,
            birth_year=d.birth_year, fide_id=d.fide_id, corrected=e.seq,
        )  # fmt: skip


def state_identity(t: TournamentState, e: ev.Event, d: ev.IdentityStated) -> None:
    if d.player in t.players:
        t.players[d.player] = t.players[d.player]._replace(
            national_id=d.national_id, public_history=d.public_history, identity=e.seq
        )


def set_visibility(t: TournamentState, e: ev.Event, d: ev.VisibilitySet) -> None:
    t.visibility = Visibility(frozenset(d.public), e.seq)


def set_venue_notice(t: TournamentState, e: ev.Event, d: ev.VenueNoticeSet) -> None:
    t.venue_notice = VenueNotice(d.text, d.round_begins, e.seq)


def assign_numbers(t: TournamentState, e: ev.Event, d: ev.StartingNumbersAssigned) -> None:
    if d.seed or len(d.numbers) == len(t.players):
        t.numbers_drawn = d.seed != 0
    for n in d.numbers:
        if n.player in t.players:
            t.players[n.player] = t.players[n.player]._replace(starting_number=n.number)


def withdraw_player(t: TournamentState, e: ev.Event, d: ev.PlayerWithdrew) -> None:
    player = t.players.get(d.player)
    if player is not None and player.left_after is None:
        t.players[d.player] = player._replace(left_after=d.after_round, withdrawal_seq=e.seq, withdrawal=d)


def check_in_player(t: TournamentState, e: ev.Event, d: ev.PlayerCheckedIn) -> None:
    if d.here:
        t.checked_in[d.player] = e.seq
    else:
        t.checked_in.pop(d.player, None)


def grant_bye(t: TournamentState, e: ev.Event, d: ev.ByeGranted) -> None:
    t.byes[d.player, d.round] = Bye(d.kind, e.seq)


def pair_round(t: TournamentState, e: ev.Event, d: ev.RoundPaired) -> None:
    t.pairings.append(Pairing(d, e.seq))
    round, pairing, seq, games = d.round, d.pairing, e.seq, t.games
    for b in d.boards:
        games[b.game] = new_tuple(Game, (b.game, round, b.board, b.white, b.black, pairing, seq, *NOTHING_YET))


def withdraw_pairing(t: TournamentState, e: ev.Event, d: ev.PairingWithdrawn) -> None:
    for i, pairing in enumerate(t.pairings):
        if pairing.event.pairing == d.pairing and pairing.withdrawn is None:
            t.pairings[i] = pairing._replace(withdrawn=e.seq)
            t.withdrawn_pairings.add(d.pairing)
            if t.regulations is not None and t.regulations.decisions >= 3:
                _drop_lots(t, pairing)
                _leave_before(t, d.round)


def _drop_lots(t: TournamentState, withdrawn: Pairing) -> None:
    """Drop the lots of a ``withdrawn`` pairing's matches, which are played again under the same numbers.

    Lots on shared places are dropped too if they were drawn after this pairing.
    """
    for match in withdrawn.event.matches:
        t.lots.pop(match.match, None)
    t.place_lots = [lot for lot in t.place_lots if lot.seq < withdrawn.seq]


def _leave_before(t: TournamentState, round: int) -> None:
    """Move departures and returns during a withdrawn pairing to before its round, which is paired again."""
    for id, player in t.players.items():
        if player.left_after == round:
            t.players[id] = player._replace(left_after=round - 1)
        elif player.absences and player.absences[-1].last == round:
            back = player.absences[-1]._replace(last=round - 1)
            t.players[id] = player._replace(absences=(*player.absences[:-1], back))


def uphold_pairing(t: TournamentState, e: ev.Event, d: ev.PairingUpheld) -> None:
    t.upheld[d.pairing, d.match, d.seated, d.due] = e.seq


def erase_text(t: TournamentState, e: ev.Event, d: ev.TextErased) -> None:
    t.erased.add(d.hash)


def return_player(t: TournamentState, e: ev.Event, d: ev.PlayerReturned) -> None:
    player = t.players.get(d.player)
    if (
        player is not None
        and player.withdrawal is not None
        and player.left_after is not None
        and player.withdrawal_seq is not None
    ):
        absence = Absence(player.left_after + 1, d.first_round - 1, player.withdrawal, player.withdrawal_seq)
        t.players[d.player] = player._replace(
            left_after=None, withdrawal_seq=None, withdrawal=None, absences=(*player.absences, absence)
        )


def forbid_pairs(t: TournamentState, e: ev.Event, d: ev.PairsForbidden) -> None:
    t.forbidden = frozenset((min(p), max(p)) for p in d.pairs)


def give_virtual_points(t: TournamentState, e: ev.Event, d: ev.VirtualPointsGiven) -> None:
    t.virtual = {(v.player, round): v.points for v in d.given for round in range(v.first, v.last + 1)}


def fix_board(t: TournamentState, e: ev.Event, d: ev.BoardFixed) -> None:
    if d.board:
        t.fixed_boards[d.player] = d.board
    else:
        t.fixed_boards.pop(d.player, None)


def enter_team(t: TournamentState, e: ev.Event, d: ev.TeamEntered) -> None:
    t.teams.setdefault(d.team, Team(d.team, d.name, d.members, e.seq))


def hand_in_lineup(t: TournamentState, e: ev.Event, d: ev.LineupHandedIn) -> None:
    t.lineups[d.team, d.round] = Lineup(d.players, e.seq)


def draw_lot(t: TournamentState, e: ev.Event, d: ev.LotDrawn) -> None:
    if d.order:
        t.place_lots.append(PlaceLot(d.order, e.seq))
    elif d.match not in t.lots or (t.regulations is not None and t.regulations.decisions >= 3):
        t.lots[d.match] = Lot(d.winner, e.seq)


EVENT_TYPES = (
    EventType(
        "arbiter.tournament.announced.v5",
        ev.TournamentAnnounced,
        PAIRING,
        announce,
        upcasters=(unchanged,) * 4,
        first=4,
    ),
    EventType("arbiter.tournament.corrected.v1", ev.TournamentCorrected, PAIRING, correct_tournament),
    EventType("arbiter.listing.set.v1", ev.ListingSet, PAIRING, set_listing),
    EventType(
        "arbiter.regulations.adopted.v5",
        ev.RegulationsAdopted,
        PAIRING,
        adopt_regulations,
        upcasters=(unchanged, unchanged, _rules_by_name, unchanged),
        first=4,
    ),
    EventType("arbiter.official.appointed.v2", ev.OfficialAppointed, PAIRING, appoint, upcasters=(unchanged,)),
    EventType("arbiter.official.dismissed.v1", ev.OfficialDismissed, PAIRING, dismiss),
    EventType("arbiter.player.entered.v2", ev.PlayerEntered, PAIRING, enter_player, upcasters=(unchanged,)),
    EventType("arbiter.entry.corrected.v1", ev.EntryCorrected, PAIRING, correct_entry),
    EventType("arbiter.identity.stated.v1", ev.IdentityStated, PAIRING, state_identity),
    EventType("arbiter.visibility.set.v1", ev.VisibilitySet, PAIRING, set_visibility),
    EventType("arbiter.venue-notice.set.v1", ev.VenueNoticeSet, PAIRING, set_venue_notice),
    EventType(
        "arbiter.starting-numbers.assigned.v2",
        ev.StartingNumbersAssigned,
        PAIRING,
        assign_numbers,
        upcasters=(unchanged,),
    ),
    EventType("arbiter.player.withdrew.v2", ev.PlayerWithdrew, PAIRING, withdraw_player, upcasters=(unchanged,)),
    EventType("arbiter.bye.granted.v1", ev.ByeGranted, PAIRING, grant_bye),
    EventType("arbiter.round.paired.v2", ev.RoundPaired, PAIRING, pair_round, upcasters=(unchanged,)),
    EventType(
        "arbiter.pairing.withdrawn.v2", ev.PairingWithdrawn, PAIRING, withdraw_pairing, upcasters=(unchanged,), first=1
    ),
    EventType("arbiter.pairing.upheld.v1", ev.PairingUpheld, PAIRING, uphold_pairing),
    EventType("arbiter.text.erased.v1", ev.TextErased, PAIRING, erase_text),
    EventType("arbiter.player.returned.v1", ev.PlayerReturned, PAIRING, return_player),
    EventType("arbiter.player.checked-in.v1", ev.PlayerCheckedIn, PAIRING, check_in_player),
    EventType("arbiter.pairs.forbidden.v1", ev.PairsForbidden, PAIRING, forbid_pairs),
    EventType("arbiter.virtual-points.given.v1", ev.VirtualPointsGiven, PAIRING, give_virtual_points),
    EventType("arbiter.board.fixed.v1", ev.BoardFixed, PAIRING, fix_board),
    EventType("arbiter.team.entered.v1", ev.TeamEntered, PAIRING, enter_team),
    EventType("arbiter.lineup.handed-in.v1", ev.LineupHandedIn, PAIRING, hand_in_lineup),
    EventType("arbiter.lot.drawn.v2", ev.LotDrawn, PAIRING, draw_lot, upcasters=(unchanged,)),
)
