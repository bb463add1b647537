"""Commands of pairing, each with the act it is, and the function that decides it."""

from collections.abc import Callable
from typing import Any

from services.pairing.rules import announcement as announcing
from services.pairing.rules import commands as co
from services.pairing.rules import entries, officials, play_off, rounds
from services.pairing.rules import match_lots as lots
from services.pairing.rules import restrictions as arranging
from services.pairing.rules import starting_numbers as numbers
from services.pairing.rules import text_erasure as erasure
from services.pairing.rules import withdrawals as leaving
from services.pairing.rules.teams import entries as teams
from services.pairing.rules.teams import lineup_submission as handing_in
from shared.core.authority import permit
from shared.core.events import Decision
from shared.core.terms import Refusal
from shared.core.tournament import Tournament, TournamentState

Answer = Decision | Refusal
DECISIONS: dict[type, tuple[str, Callable[[Any, Any], Answer]]] = {
    co.AnnounceTournament: ("announce", announcing.announce),
    co.AdoptRegulations: ("adopt regulations", announcing.adopt),
    co.AppointOfficial: ("appoint or dismiss officials", officials.appoint),
    co.DismissOfficial: ("appoint or dismiss officials", officials.dismiss),
    co.EnterPlayers: ("enter players", entries.enter),
    co.AssignNumbers: ("assign starting numbers", numbers.assign),
    co.WithdrawPlayers: ("withdraw a player", leaving.withdraw_together),
    co.WithdrawPlayer: ("withdraw a player", leaving.withdraw),
    co.ReturnPlayer: ("let a player return", leaving.come_back),
    co.GrantBye: ("grant a bye", leaving.grant_bye),
    co.PairRound: ("pair a round", rounds.pair),
    co.ForbidPairs: ("forbid pairs", arranging.forbid),
    co.FixBoard: ("fix a board", arranging.fix_board),
    co.DrawLots: ("draw lots", lots.draw),
    co.PairPlayOff: ("pair a round", play_off.pair),
    co.WithdrawPairing: ("withdraw a pairing", rounds.withdraw),
    co.EnterTeams: ("enter teams", teams.enter),
    co.HandInLineup: ("hand in a line-up", handing_in.hand_in),
    co.EraseText: ("erase a text", erasure.erase),
}


def decide(t: TournamentState, command: Any, sheet: None = None) -> Answer:
    """Follow a command, or say why not: authority first, then whether there is such a tournament."""
    act, follow = DECISIONS[type(command)]
    refusal = permit(t, command.actor, act)
    if refusal is not None:
        return refusal
    if not isinstance(t, Tournament) and not isinstance(command, co.AnnounceTournament):
        return Refusal("unknown", "unknown-tournament", f"no tournament {t.id} was announced")
    if t.closed() and not isinstance(command, co.AnnounceTournament | co.EraseText):
        detail = "the final table was published; rulings and appeals are still taken"
        return Refusal("rule", "tournament-closed", detail, see=f"/v1/tournaments/{t.id}/standings")
    return follow(t, command)
