"""Pairing's events, described: announcement, entries, teams, rounds, erasure."""

from collections.abc import Iterable

from services.standings.descriptions import announcement
from services.standings.descriptions.event_description import Call, EventDescription, of
from services.standings.descriptions.words import chained, commas, control, number_of, stage
from shared.core import events as ev
from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.vocabulary import BYES, FORMATS, GAMES, ROLES, display_name
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import TournamentState
from shared.core.terms import PlayerId
from shared.web.names import isolated


def announced(t: TournamentState, d: ev.TournamentAnnounced, call: Call) -> Message:
    what = [display_name(GAMES, d.game), display_name(FORMATS, d.format)]
    if d.rounds:
        what.append(number_of(d.rounds, say("{number} round"), say("{number} rounds")))
    if d.conditions.time:
        what.append(control(d.conditions.time))
    if d.place:
        what.append(say("in {place}", place=isolated(d.place)))
    first, last = d.begins or d.ends, d.ends or d.begins
    if first:
        what.append(
            say("on {day}", day=first) if first == last else say("from {begins} to {ends}", begins=first, ends=last)
        )
    return say("Tournament {name} is created: {what}.", name=isolated(d.name), what=commas(what))


def regulations_adopted(t: TournamentState, d: ev.RegulationsAdopted, call: Call) -> Message:
    adopted = say(
        "The regulations {set} ({edition}) are adopted.", set=title(d.regulations), edition=d.regulations.edition
    )
    for one in d.regulations.stages:
        adopted = say("{before} Stage {stage}.", before=adopted, stage=stage(one))
    return adopted


def title(regulations: Regulations) -> Message:
    """Return the name of a ruleset, with the number of its changes by an organiser."""
    if not regulations.changes:
        return say("{name}", name=regulations.name)
    changes = number_of(len(regulations.changes), say("{number} change"), say("{number} changes"))
    return commas([say("{name}", name=regulations.name), changes])


def official_appointed(t: TournamentState, d: ev.OfficialAppointed, call: Call) -> Message:
    role = display_name(ROLES, d.role)
    if d.boards:
        return say("{official} is appointed {role} for board {boards}.", role=role)
    return say("{official} is appointed {role}.", role=role)


def player_entered(t: TournamentState, d: ev.PlayerEntered, call: Call) -> Message:
    return say("{player} enters as number {number}.", number=d.player)


ENTRY_MEMBERS: dict[ev.EntryMember | ev.PersonalMember, Message] = {
    "name": say("the name"),
    "rating": say("the rating"),
    "title": say("the title"),
    "club": say("the club"),
    "federation": say("the federation"),
    "sex": say("the sex"),
    "birth_year": say("the year of birth"),
    "fide_id": say("the FIDE ID"),
    "national_id": say("the national ID"),
    "checked_in": say("the check-in"),
}


def entry_corrected(t: TournamentState, d: ev.EntryCorrected, call: Call) -> Message:
    what = [_corrected_member(d, name) for name in d.changed]
    if d.starting_number is not None:
        what.append(say("starting number {number}", number=d.starting_number))
    return say("The entry of {player} is corrected: {what}.", what=commas(what))


def _corrected_member(d: ev.EntryCorrected, name: ev.EntryMember) -> Message:
    """Return a member in words, with its new value unless that is a text about a person."""
    value = getattr(d, name)
    if value is None:
        return say("{member} is removed", member=ENTRY_MEMBERS[name])
    return (
        say("{member} is now {value}", member=ENTRY_MEMBERS[name], value=value)
        if isinstance(value, str | int)
        else ENTRY_MEMBERS[name]
    )


def identity_stated(t: TournamentState, d: ev.IdentityStated, call: Call) -> Message:
    if d.public_history and d.national_id is not None:
        return say("{player} has a national ID, and the results of the player are public across tournaments.")
    if d.public_history:
        return say("The results of {player} are public across tournaments.")
    if d.national_id is not None:
        return say("{player} has a national ID. Only officials see the results of the player across tournaments.")
    return say("Only officials see the results of {player} across tournaments.")


def visibility_set(t: TournamentState, d: ev.VisibilitySet, call: Call) -> Message:
    if not d.public:
        return say("Only officials see personal members of entries.")
    return say("Everyone sees of entries: {members}.", members=commas([ENTRY_MEMBERS[name] for name in d.public]))


def venue_notice_set(t: TournamentState, d: ev.VenueNoticeSet, call: Call) -> Message:
    if d.round_begins:
        return say("The screens of the venue count down to the next round.")
    return say("The screens of the venue show a text.") if d.text else say("The screens of the venue show no notice.")


def numbers_assigned(t: TournamentState, d: ev.StartingNumbersAssigned, call: Call) -> Message:
    return say("Starting numbers were assigned to {number} players.", number=len(d.numbers))


def player_withdrew(t: TournamentState, d: ev.PlayerWithdrew, call: Call) -> Message:
    what = [say("the results remain valid") if d.results_stand else say("the results are annulled")]
    if d.unplayed == "forfeit":
        what.append(say("unplayed games are forfeited"))
    if d.ruling is None:
        if not d.after_round:
            return say("{player} withdraws before round 1; {stand}.", stand=commas(what))
        return say("{player} withdraws after round {round}; {stand}.", round=d.after_round, stand=commas(what))
    return say(
        "{player} is expelled by ruling {ruling} and leaves after round {round}; {stand}.",
        round=d.after_round,
        stand=commas(what),
    )


def player_returned(t: TournamentState, d: ev.PlayerReturned, call: Call) -> Message:
    return say("{player} plays again from round {round} on.", round=d.first_round)


def bye_granted(t: TournamentState, d: ev.ByeGranted, call: Call) -> Message:
    return say("{player} gets {bye} in round {round}.", bye=BYES[d.kind])


def player_checked_in(t: TournamentState, d: ev.PlayerCheckedIn, call: Call) -> Message:
    if d.here:
        return say("{player} has checked in.")
    return say("{player} has not come. The check-in was a mistake.")


def pairs_forbidden(t: TournamentState, d: ev.PairsForbidden, call: Call) -> Message:
    if not d.pairs:
        return say("Forbidden pairs: none.")
    pairs = tuple(_pair(map(call, pair)) for pair in d.pairs)
    return say("Forbidden pairs: {pairs}.", pairs=pairs)


def _pair(names: Iterable[MessageFact]) -> Message:
    words = [say("{name}", name=name) for name in names]
    return chained(words, lambda first, second: say("{first} – {second}", first=first, second=second))


def virtual_points_given(t: TournamentState, d: ev.VirtualPointsGiven, call: Call) -> Message:
    rounds = sorted({round for v in d.given if v.points for round in range(v.first, v.last + 1)})
    players = len({v.player for v in d.given if v.points})
    if not rounds:
        return say("Players are no longer paired with virtual points.")
    return say(
        "In rounds {first} to {last}, {players} players are paired with virtual points in addition to their score.",
        first=rounds[0],
        last=rounds[-1],
        players=players,
    )


def board_fixed(t: TournamentState, d: ev.BoardFixed, call: Call) -> Message:
    if d.board:
        return say("{player} plays on board {board} in every round.")
    return say("{player} has no board of their own any more.")


def team_entered(t: TournamentState, d: ev.TeamEntered, call: Call) -> Message:
    return say("Team {team} enters: {members}.", members=tuple(map(call, d.members)))


def lineup_handed_in(t: TournamentState, d: ev.LineupHandedIn, call: Call) -> Message:
    return say("Team {team} plays round {round} with {players}.", players=tuple(map(call, d.players)))


def lot_drawn(t: TournamentState, d: ev.LotDrawn, call: Call) -> Message:
    if d.order:
        return say("Lots decide a shared place: {order}.")
    return say("Match {match} is decided by lot: the winner is {winner}.", match=d.match or "", winner=d.winner or "")


def round_paired(t: TournamentState, d: ev.RoundPaired, call: Call) -> Message:
    boards = number_of(len(d.boards), say("{number} board"), say("{number} boards"))
    seats = commas([boards, number_of(len(d.byes), say("{number} bye"), say("{number} byes"))])
    if d.engine is None:
        return say("Round {round} is paired by hand: {seats}.", seats=seats)
    return say(
        "Round {round} is paired by {engine} {version}: {seats}.",
        engine=d.engine.name,
        version=d.engine.version,
        seats=seats,
    )


def pairing_withdrawn(t: TournamentState, d: ev.PairingWithdrawn, call: Call) -> Message:
    if d.played:
        return say("The pairing of round {round} is void: its games do not count.")
    return say("The pairing of round {round} is withdrawn.")


def pairing_upheld(t: TournamentState, d: ev.PairingUpheld, call: Call) -> Message:
    round = _round_of_pairing(t, d.pairing)
    seated, due = (_sides(t, sides, call) for sides in (d.seated, d.due))
    return say(
        "The pairing of round {round} is upheld with {seated}, although {due} would be seated now.",
        round=round,
        seated=seated,
        due=due,
    )


def _round_of_pairing(t: TournamentState, pairing: int) -> int:
    return t.pairings[pairing - 1].event.round if 0 < pairing <= len(t.pairings) else 0


def _sides(t: TournamentState, sides: tuple[int, ...], call: Call) -> MessageFact:
    """Return the names of players, or the numbers of teams. A missing side of a match, 0, is left out."""
    teams = t.announced is not None and t.announced.conditions.teams_meet
    named = (str(side) if teams else call(PlayerId(side)) for side in sides if side)
    return tuple(named) or say("nobody")


def text_erased(t: TournamentState, d: ev.TextErased, call: Call) -> Message:
    return say("The text {hash}… is erased.", hash=d.hash[:12])


DESCRIPTIONS = (
    EventDescription(ev.TournamentAnnounced, say("Tournament created"), announced),
    EventDescription(ev.TournamentCorrected, say("Tournament corrected"), announcement.tournament_corrected),
    EventDescription(ev.ListingSet, say("Listing set"), announcement.listing_set),
    EventDescription(ev.RegulationsAdopted, say("Regulations adopted"), regulations_adopted),
    EventDescription(ev.OfficialAppointed, say("Official appointed"), official_appointed),
    EventDescription(ev.OfficialDismissed, say("Official dismissed"), say("{official} is dismissed.")),
    EventDescription(ev.PlayerEntered, say("Player entered"), player_entered),
    EventDescription(ev.EntryCorrected, say("Entry corrected"), entry_corrected),
    EventDescription(ev.IdentityStated, say("Identity stated"), identity_stated),
    EventDescription(ev.VisibilitySet, say("Visibility set"), visibility_set),
    EventDescription(ev.VenueNoticeSet, say("Venue notice set"), venue_notice_set),
    EventDescription(
        ev.StartingNumbersAssigned,
        say("Starting numbers assigned"),
        numbers_assigned,
        lambda t, d: of(*(n.player for n in d.numbers)),
    ),
    EventDescription(ev.PlayerWithdrew, say("Player withdrew"), player_withdrew),
    EventDescription(ev.PlayerCheckedIn, say("Player checked in"), player_checked_in),
    EventDescription(ev.PlayerReturned, say("Player returned"), player_returned),
    EventDescription(ev.ByeGranted, say("Bye granted"), bye_granted),
    EventDescription(
        ev.PairsForbidden,
        say("Pairs forbidden"),
        pairs_forbidden,
        lambda t, d: of(*(p for pair in d.pairs for p in pair)),
    ),
    EventDescription(
        ev.VirtualPointsGiven,
        say("Acceleration"),
        virtual_points_given,
        lambda t, d: of(*(v.player for v in d.given)),
    ),
    EventDescription(ev.BoardFixed, say("Board fixed"), board_fixed, lambda t, d: of(d.player, boards=((0, d.board),))),
    EventDescription(ev.TeamEntered, say("Team entered"), team_entered, lambda t, d: of(*d.members)),
    EventDescription(
        ev.LineupHandedIn, say("Line-up handed in"), lineup_handed_in, lambda t, d: of(*d.players, rounds=(d.round,))
    ),
    EventDescription(ev.LotDrawn, say("Lot drawn"), lot_drawn),
    EventDescription(
        ev.RoundPaired,
        say("Round paired"),
        round_paired,
        lambda t, d: of(
            *(p for b in d.boards for p in (b.white, b.black)),
            *(b.player for b in d.byes),
            rounds=(d.round,),
            boards=((d.round, b.board) for b in d.boards),
        ),
    ),
    EventDescription(ev.PairingWithdrawn, say("Pairing withdrawn"), pairing_withdrawn),
    EventDescription(
        ev.PairingUpheld,
        say("Pairing upheld"),
        pairing_upheld,
        lambda t, d: of(rounds=(_round_of_pairing(t, d.pairing),)),
    ),
    EventDescription(ev.TextErased, say("Text erased"), text_erased),
)
