"""The commands of pairing, one row each: the roles that may give it, its event, and the function that decides it."""

from services.pairing.rules import commands as co
from services.pairing.rules import (
    match_lots,
    officials,
    pairing_settlement,
    play_off,
    reconstruct,
    restrictions,
    rounds,
    withdrawals,
)
from services.pairing.rules.announcement import announcement, announcement_correction
from services.pairing.rules.entries import entries, entry_correction, identity, starting_numbers
from services.pairing.rules.teams import entries as team_entries
from services.pairing.rules.teams import lineup_submission
from shared.core import events as ev
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.readings.authority import ANNOUNCE, APPOINT
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, Refusal
from shared.desk.rules_port import CommandRow, Written


def _has_several_events(written: Written) -> bool:
    return len(written.events) > 1


def _is_play_off(written: Written) -> bool:
    return bool(written.events[0].stage == PLAY_OFF)


def erase_text(t: Tournament, c: co.EraseText) -> Decision | Refusal:
    """Decide to erase a text: the log keeps its hash. Refusals: ``invalid-hash``, ``text-erased``."""
    if len(c.event.hash) != 64 or not set(c.event.hash) <= HEX:
        return Refusal(
            "invalid", "invalid-hash", say("a hash must be 64 hexadecimal digits in lower case"), where="hash"
        )
    if c.event.hash in t.erased:
        return Refusal("rule", "text-erased", say("this text is already erased"))
    return Decision((c.event,))


def set_visibility(t: Tournament, c: co.SetVisibility) -> Decision:
    """Decide what everyone sees of entries: any choice is valid."""
    return Decision((c.event,))


def set_venue_notice(t: Tournament, c: co.SetVenueNotice) -> Decision:
    """Decide what the screens of the venue show: any notice is valid, also none."""
    return Decision((c.event,))


HEX = set("0123456789abcdef")
WITHDRAW, BYE, CORRECT = "withdraw a player", "grant a bye", "correct an entry"
ROWS = (
    CommandRow(
        co.AnnounceTournament,
        ANNOUNCE,
        ev.TournamentAnnounced,
        announcement.announce,
        reconstruct.announcement,
        after_final=True,
    ),
    CommandRow(co.AdoptRegulations, "adopt regulations", ev.RegulationsAdopted, announcement.adopt),
    CommandRow(co.AppointOfficial, APPOINT, ev.OfficialAppointed, officials.appoint),
    CommandRow(co.DismissOfficial, APPOINT, ev.OfficialDismissed, officials.dismiss),
    CommandRow(co.EnterPlayers, "enter players", ev.PlayerEntered, entries.enter, reconstruct.entries),
    CommandRow(co.CorrectEntry, CORRECT, ev.EntryCorrected, entry_correction.correct, reconstruct.entry_correction),
    CommandRow(co.StateIdentity, CORRECT, ev.IdentityStated, identity.state_identity, after_final=True),
    CommandRow(co.SetVisibility, "set visibility", ev.VisibilitySet, set_visibility, after_final=True),
    CommandRow(co.CorrectTournament, "correct the tournament", ev.TournamentCorrected, announcement_correction.correct),
    CommandRow(co.SetListing, "list the tournament", ev.ListingSet, announcement.set_listing, after_final=True),
    CommandRow(co.SetVenueNotice, "set the venue notice", ev.VenueNoticeSet, set_venue_notice, after_final=True),
    CommandRow(
        co.AssignNumbers,
        "assign starting numbers",
        ev.StartingNumbersAssigned,
        starting_numbers.assign,
        reconstruct.starting_numbers,
    ),
    CommandRow(
        co.WithdrawPlayers,
        WITHDRAW,
        ev.PlayerWithdrew,
        withdrawals.withdraw_together,
        reconstruct.team_withdrawal,
        _has_several_events,
    ),
    CommandRow(co.WithdrawPlayer, WITHDRAW, ev.PlayerWithdrew, withdrawals.withdraw),
    CommandRow(co.ReturnPlayer, "let a player return", ev.PlayerReturned, withdrawals.let_return),
    CommandRow(co.GrantByes, BYE, ev.ByeGranted, withdrawals.grant_byes, reconstruct.byes, _has_several_events),
    CommandRow(co.GrantBye, BYE, ev.ByeGranted, withdrawals.grant_bye),
    CommandRow(co.CheckInPlayers, "check in players", ev.PlayerCheckedIn, entries.check_in, reconstruct.check_in),
    CommandRow(co.PairPlayOff, "pair a round", ev.RoundPaired, play_off.pair, reconstruct.play_off, _is_play_off),
    CommandRow(co.PairRound, "pair a round", ev.RoundPaired, rounds.pair, reconstruct.pairing),
    CommandRow(co.ForbidPairs, "forbid pairs", ev.PairsForbidden, restrictions.forbid),
    CommandRow(co.GiveVirtualPoints, "give virtual points", ev.VirtualPointsGiven, restrictions.give_points),
    CommandRow(co.FixBoard, "fix a board", ev.BoardFixed, restrictions.fix_board),
    CommandRow(co.DrawLots, "draw lots", ev.LotDrawn, match_lots.draw, reconstruct.lots),
    CommandRow(co.WithdrawPairing, "withdraw a pairing", ev.PairingWithdrawn, pairing_settlement.withdraw),
    # After a final table an appeal may still make a basis outdated.
    CommandRow(co.UpholdPairing, "uphold a pairing", ev.PairingUpheld, pairing_settlement.uphold, after_final=True),
    CommandRow(co.EnterTeams, "enter teams", ev.TeamEntered, team_entries.enter, reconstruct.team_entries),
    CommandRow(co.HandInLineup, "hand in a line-up", ev.LineupHandedIn, lineup_submission.hand_in),
    CommandRow(co.EraseText, "erase a text", ev.TextErased, erase_text, after_final=True),
)
