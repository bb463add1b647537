"""The events of games, described: begun, ended, reported, corrected, what was claimed and found."""

from services.standings.descriptions.event_description import Call, EventDescription, Mentions, game_words, of, of_game
from shared.core import events as ev
from shared.core.facts import in_words
from shared.core.tournament import TournamentState
from shared.web.page import marks


def game_started(t: TournamentState, d: ev.GameStarted, call: Call) -> str:
    return f"{game_words(t, d.game, call)} begins."


def colours_corrected(t: TournamentState, d: ev.ColoursCorrected, call: Call) -> str:
    what = "goes on with the colours reversed" if d.reversed else "has the colours of its pairing again"
    return f"{game_words(t, d.game, call)} {what}."


def game_ended(t: TournamentState, d: ev.GameEnded, call: Call) -> str:
    why = d.termination.replace("_", " ")
    return f"{game_words(t, d.game, call)} ends {marks(d.white, d.black)}: {why}."


def finding_made(t: TournamentState, d: ev.FindingMade, call: Call) -> str:
    finding = f"{d.kind.replace('_', ' ')} of {call(d.player)} at ply {d.ply}"
    return f"{game_words(t, d.game, call)}: {finding} is found."


def of_finding(t: TournamentState, d: ev.FindingMade) -> Mentions:
    """The player it is about, and the game."""
    return of(d.player) | of_game(t, d.game)


def claim_pending(t: TournamentState, d: ev.ClaimPending, call: Call) -> str:
    detail = "".join(f" {one}" for one in (d.move, *d.squares) if one)
    what = f"{d.kind.replace('_', ' ')}{detail} of {call(d.accused)} at ply {d.ply}"
    return f"{game_words(t, d.game, call)}: {call(d.player)} claims {what}; claim {d.claim} waits for an arbiter."


def claim_settled(t: TournamentState, d: ev.ClaimSettled, call: Call) -> str:
    return f"{game_words(t, d.game, call)}: claim {d.claim} is {'upheld' if d.upheld else 'denied'} by an arbiter."


_WITHDRAWN = {"stated_anew": "the touch was stated anew", "taken_back": "the moves were taken back"}


def finding_withdrawn(t: TournamentState, d: ev.FindingWithdrawn, call: Call) -> str:
    return f"{game_words(t, d.game, call)}: finding {d.finding} is withdrawn, since {_WITHDRAWN[d.why]}."


def of_withdrawal(t: TournamentState, d: ev.FindingWithdrawn) -> Mentions:
    """Those of the finding."""
    finding = t.findings.get(d.finding)
    return of_game(t, d.game) if finding is None else of_finding(t, finding.event)


def facts_checked(t: TournamentState, d: ev.FactsChecked, call: Call) -> str:
    what = f"{game_words(t, d.game, call)}: the score sheet"
    if not d.contradicted:
        return f"{what} does not contradict ruling {d.ruling}."
    return f"{what} contradicts ruling {d.ruling}: it shows {in_words(d.contradicted)} (article {d.article})."


def result_reported(t: TournamentState, d: ev.ResultReported, call: Call) -> str:
    return f"{game_words(t, d.game, call)}: {marks(d.white, d.black)} is reported."


def result_corrected(t: TournamentState, d: ev.ResultCorrected, call: Call) -> str:
    beneath = f", waiting beneath ruling {d.beneath}" if d.beneath else ""
    return f"{game_words(t, d.game, call)}: corrected to {marks(d.white, d.black)}{beneath}."


DESCRIPTIONS = (
    EventDescription(ev.GameStarted, game_started, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ColoursCorrected, colours_corrected, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.GameEnded, game_ended, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.FindingMade, finding_made, of_finding),
    EventDescription(ev.ClaimPending, claim_pending, lambda t, d: of(d.player, d.accused) | of_game(t, d.game)),
    EventDescription(ev.ClaimSettled, claim_settled, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.FindingWithdrawn, finding_withdrawn, of_withdrawal),
    EventDescription(ev.FactsChecked, facts_checked, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ResultReported, result_reported, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ResultCorrected, result_corrected, lambda t, d: of_game(t, d.game)),
)
