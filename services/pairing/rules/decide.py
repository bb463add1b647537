"""Commands of pairing, each with the act it is, and the function that decides it."""

from collections.abc import Callable
from typing import Any

from services.pairing.rules import (
    acceleration,
    check_in,
    match_lots,
    officials,
    pairing_settlement,
    play_off,
    restrictions,
    rounds,
    text_erasure,
    withdrawals,
)
from services.pairing.rules import commands as co
from services.pairing.rules.announcement import announcement
from services.pairing.rules.entries import entries, entry_correction, starting_numbers
from services.pairing.rules.teams import entries as team_entries
from services.pairing.rules.teams import lineup_submission
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.readings.authority import ANNOUNCE, APPOINT, permit
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Refusal

Answer = Decision | Refusal
DECISIONS: dict[type, tuple[str, Callable[[Any, Any], Answer]]] = {
    co.AnnounceTournament: (ANNOUNCE, announcement.announce),
    co.AdoptRegulations: ("adopt regulations", announcement.adopt),
    co.AppointOfficial: (APPOINT, officials.appoint),
    co.DismissOfficial: (APPOINT, officials.dismiss),
    co.EnterPlayers: ("enter players", entries.enter),
    co.CorrectEntry: ("correct an entry", entry_correction.correct),
    co.AssignNumbers: ("assign starting numbers", starting_numbers.assign),
    co.WithdrawPlayers: ("withdraw a player", withdrawals.withdraw_together),
    co.WithdrawPlayer: ("withdraw a player", withdrawals.withdraw),
    co.ReturnPlayer: ("let a player return", withdrawals.let_return),
    co.GrantBye: ("grant a bye", withdrawals.grant_bye),
    co.GrantByes: ("grant a bye", withdrawals.grant_byes),
    co.CheckInPlayers: ("check in players", check_in.check_in),
    co.PairRound: ("pair a round", rounds.pair),
    co.ForbidPairs: ("forbid pairs", restrictions.forbid),
    co.GiveVirtualPoints: ("give virtual points", acceleration.give),
    co.FixBoard: ("fix a board", restrictions.fix_board),
    co.DrawLots: ("draw lots", match_lots.draw),
    co.PairPlayOff: ("pair a round", play_off.pair),
    co.WithdrawPairing: ("withdraw a pairing", pairing_settlement.withdraw),
    co.UpholdPairing: ("uphold a pairing", pairing_settlement.uphold),
    co.EnterTeams: ("enter teams", team_entries.enter),
    co.HandInLineup: ("hand in a line-up", lineup_submission.hand_in),
    co.EraseText: ("erase a text", text_erasure.erase),
}

AFTER_THE_FINAL_TABLE = (co.AnnounceTournament, co.EraseText, co.UpholdPairing)
"""The commands that are taken after a final table: an appeal may still make a basis outdated."""


def decide(t: TournamentState, command: Any, sheet: None = None) -> Answer:
    """Follow a command, or say why not: authority first, then whether there is such a tournament."""
    act, follow = DECISIONS[type(command)]
    refusal = permit(t, command.actor, act)
    if refusal is not None:
        return refusal
    if not isinstance(t, Tournament) and not isinstance(command, co.AnnounceTournament):
        return Refusal("unknown", "unknown-tournament", say("no tournament {id} was announced", id=t.id))
    if t.closed() and not isinstance(command, AFTER_THE_FINAL_TABLE):
        detail = say("the final table was published; rulings and appeals are still taken")
        return Refusal("rule", "tournament-closed", detail, see=f"/v1/tournaments/{t.id}/standings")
    return follow(t, command)
