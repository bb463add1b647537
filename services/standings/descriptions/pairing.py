"""Pairing's events, described: announcement, entries, teams, rounds, erasure."""

from services.standings.descriptions.event_description import Call, EventDescription, nobody, of
from services.standings.descriptions.words import BYES, control, number_of, stage
from shared.core import events as ev
from shared.core.tournament import TournamentState


def announced(t: TournamentState, d: ev.TournamentAnnounced, call: Call) -> str:
    over = f", {d.rounds} rounds" if d.rounds else ""
    time = f", {control(d.conditions.time)}" if d.conditions.time else ""
    return f"{d.name} is announced: {d.game}, {d.format.replace('_', ' ')}{over}{time}."


def regulations_adopted(t: TournamentState, d: ev.RegulationsAdopted, call: Call) -> str:
    stages = "".join(f" Stage {stage(one)}." for one in d.regulations.stages)
    return f"The regulations {d.regulations.title} ({d.regulations.edition}) are adopted.{stages}"


def official_appointed(t: TournamentState, d: ev.OfficialAppointed, call: Call) -> str:
    boards = f" for board {', '.join(map(str, d.boards))}" if d.boards else ""
    return f"{d.official} is appointed {d.role.replace('_', ' ')}{boards}."


def official_dismissed(t: TournamentState, d: ev.OfficialDismissed, call: Call) -> str:
    return f"{d.official} is dismissed."


def player_entered(t: TournamentState, d: ev.PlayerEntered, call: Call) -> str:
    return f"{call(d.player)} enters as number {d.player}."


def numbers_assigned(t: TournamentState, d: ev.StartingNumbersAssigned, call: Call) -> str:
    return f"Starting numbers are assigned to {len(d.numbers)} players."


def player_withdrew(t: TournamentState, d: ev.PlayerWithdrew, call: Call) -> str:
    stand = "the results stand" if d.results_stand else "the results are annulled"
    rest = ", what is not played is forfeited" if d.unplayed == "forfeit" else ""
    how = "withdraws" if d.ruling is None else f"is expelled by ruling {d.ruling} and leaves"
    return f"{call(d.player)} {how} after round {d.after_round}; {stand}{rest}."


def player_returned(t: TournamentState, d: ev.PlayerReturned, call: Call) -> str:
    return f"{call(d.player)} plays again from round {d.first_round} on."


def bye_granted(t: TournamentState, d: ev.ByeGranted, call: Call) -> str:
    return f"{call(d.player)} gets {BYES[d.kind]} in round {d.round}."


def pairs_forbidden(t: TournamentState, d: ev.PairsForbidden, call: Call) -> str:
    pairs = ", ".join(" – ".join(map(call, pair)) for pair in d.pairs)
    return f"Who may not be paired: {pairs or 'nobody'}."


def board_fixed(t: TournamentState, d: ev.BoardFixed, call: Call) -> str:
    where = f"plays on board {d.board} in every round" if d.board else "has no board of their own any more"
    return f"{call(d.player)} {where}."


def team_entered(t: TournamentState, d: ev.TeamEntered, call: Call) -> str:
    return f"Team {d.team} enters: {', '.join(map(call, d.members))}."


def lineup_handed_in(t: TournamentState, d: ev.LineupHandedIn, call: Call) -> str:
    return f"Team {d.team} plays round {d.round} with {', '.join(map(call, d.players))}."


def lot_drawn(t: TournamentState, d: ev.LotDrawn, call: Call) -> str:
    if d.order:
        return f"Lots part those who share a place: {', '.join(map(str, d.order))}."
    return f"Match {d.match} is decided by lot: {d.winner} has it."


def round_paired(t: TournamentState, d: ev.RoundPaired, call: Call) -> str:
    by = "by hand" if d.engine is None else f"by {d.engine.name} {d.engine.version}"
    seats = f"{number_of(len(d.boards), 'board')}, {number_of(len(d.byes), 'bye')}"
    return f"Round {d.round} is paired {by}: {seats}."


def pairing_withdrawn(t: TournamentState, d: ev.PairingWithdrawn, call: Call) -> str:
    return f"The pairing of round {d.round} is withdrawn."


def text_erased(t: TournamentState, d: ev.TextErased, call: Call) -> str:
    return f"The text {d.hash[:12]}… is erased."


DESCRIPTIONS = (
    EventDescription(ev.TournamentAnnounced, announced, nobody),
    EventDescription(ev.RegulationsAdopted, regulations_adopted, nobody),
    EventDescription(ev.OfficialAppointed, official_appointed, nobody),
    EventDescription(ev.OfficialDismissed, official_dismissed, nobody),
    EventDescription(ev.PlayerEntered, player_entered, lambda t, d: of(d.player)),
    EventDescription(ev.StartingNumbersAssigned, numbers_assigned, lambda t, d: of(*(n.player for n in d.numbers))),
    EventDescription(ev.PlayerWithdrew, player_withdrew, lambda t, d: of(d.player)),
    EventDescription(ev.PlayerReturned, player_returned, lambda t, d: of(d.player)),
    EventDescription(ev.ByeGranted, bye_granted, lambda t, d: of(d.player, rounds=(d.round,))),
    EventDescription(ev.PairsForbidden, pairs_forbidden, lambda t, d: of(*(p for pair in d.pairs for p in pair))),
    EventDescription(ev.BoardFixed, board_fixed, lambda t, d: of(d.player)),
    EventDescription(ev.TeamEntered, team_entered, lambda t, d: of(*d.members)),
    EventDescription(ev.LineupHandedIn, lineup_handed_in, lambda t, d: of(*d.players, rounds=(d.round,))),
    EventDescription(ev.LotDrawn, lot_drawn, nobody),
    EventDescription(
        ev.RoundPaired,
        round_paired,
        lambda t, d: of(
            *(p for b in d.boards for p in (b.white, b.black)), *(b.player for b in d.byes), rounds=(d.round,)
        ),
    ),
    EventDescription(ev.PairingWithdrawn, pairing_withdrawn, lambda t, d: of(rounds=(d.round,))),
    EventDescription(ev.TextErased, text_erased, nobody),
)
