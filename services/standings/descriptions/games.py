"""The events of games, described: begun, ended, reported, corrected, what was claimed and found."""

from services.standings.descriptions.event_description import Call, EventDescription, Mentions, of, of_game, of_members
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.readings.claims import accused_of
from shared.core.readings.vocabulary import CLAIMS, FINDINGS, display_name, fact_words
from shared.core.rulebook.terminations import TERMINATIONS
from shared.core.state.tournament import TournamentState


def game_started(t: TournamentState, d: ev.GameStarted, call: Call) -> Message:
    if d.position is not None:
        return say("{game} begins from a position that was set up: {position}.")
    return say("{game} begins.")


def colours_corrected(t: TournamentState, d: ev.ColoursCorrected, call: Call) -> Message:
    if d.reversed:
        return say("{game} goes on with the colours reversed.")
    return say("{game} has the colours of its pairing again.")


def colours_settled(t: TournamentState, d: ev.ColoursSettled, call: Call) -> Message:
    if d.black is None:
        return say("{game}: the decision about the colours was reset.")
    if d.game not in t.games:
        return say("{game}: the colours are those on the score sheet.")
    holder = call(t.games[d.game].player(d.black))
    return say("{game}: {player} holds Black's pieces by the score sheet.", player=holder)


def game_ended(t: TournamentState, d: ev.GameEnded, call: Call) -> Message:
    return say("{game} ends {marks}: {why}.", why=TERMINATIONS[d.termination].words)


def finding_made(t: TournamentState, d: ev.FindingMade, call: Call) -> Message:
    return say(
        "{game}: the score sheet shows {finding} by {player} at ply {ply}.", finding=display_name(FINDINGS, d.kind)
    )


def claim_pending(t: TournamentState, d: ev.ClaimPending, call: Call) -> Message:
    named = " ".join(one for one in (d.move, *d.squares) if one)
    claim = display_name(CLAIMS, d.kind)
    accused = accused_of(d)
    if accused is None:
        return say("{game}: {player} claims {what} at ply {ply}; claim {claim} waits for an arbiter.", what=claim)
    return say(
        "{game}: {player} claims {what} against {accused} at ply {ply}; claim {claim} waits for an arbiter.",
        what=say("{claim} {named}", claim=claim, named=named) if named else claim,
        accused=call(accused),
    )


def claim_settled(t: TournamentState, d: ev.ClaimSettled, call: Call) -> Message:
    if d.upheld:
        return say("{game}: claim {claim} is upheld by an arbiter.")
    return say("{game}: claim {claim} is denied by an arbiter.")


WITHDRAWALS = {
    "stated_anew": say("the touched pieces were stated differently"),
    "taken_back": say("the moves were taken back"),
}


def finding_withdrawn(t: TournamentState, d: ev.FindingWithdrawn, call: Call) -> Message:
    return say("{game}: finding {finding} is withdrawn, because {why}.", why=WITHDRAWALS[d.why])


def of_withdrawal(t: TournamentState, d: ev.FindingWithdrawn) -> Mentions:
    """Those of the finding."""
    finding = t.findings.get(d.finding)
    return of_game(t, d.game) if finding is None else of_members(t, finding.event)


def facts_checked(t: TournamentState, d: ev.FactsChecked, call: Call) -> Message:
    if not d.contradicted:
        return say("{game}: the score sheet does not contradict ruling {ruling}.")
    return say(
        "{game}: the score sheet contradicts ruling {ruling}: it shows {facts} ({article}).",
        facts=fact_words(d.contradicted),
    )


def call_made(t: TournamentState, d: ev.CallMade, call: Call) -> Message:
    return say("{game}: an arbiter is called.") if d.open else say("{game}: the call of an arbiter is answered.")


def result_corrected(t: TournamentState, d: ev.ResultCorrected, call: Call) -> Message:
    if d.beneath:
        return say("{game}: corrected to {marks}; takes effect if ruling {ruling} is annulled.", ruling=d.beneath)
    return say("{game}: corrected to {marks}.")


DESCRIPTIONS = (
    EventDescription(ev.GameStarted, say("Game started"), game_started),
    EventDescription(ev.ColoursCorrected, say("Colours corrected"), colours_corrected),
    EventDescription(ev.ColoursSettled, say("Colours settled"), colours_settled),
    EventDescription(ev.GameEnded, say("Game ended"), game_ended),
    EventDescription(ev.FindingMade, say("Finding made"), finding_made),
    EventDescription(
        ev.ClaimPending, say("Claim made"), claim_pending, lambda t, d: of(d.player, d.accused) | of_game(t, d.game)
    ),
    EventDescription(ev.ClaimSettled, say("Claim settled"), claim_settled),
    EventDescription(ev.FindingWithdrawn, say("Finding withdrawn"), finding_withdrawn, of_withdrawal),
    EventDescription(ev.FactsChecked, say("Facts checked"), facts_checked),
    EventDescription(ev.ResultReported, say("Result reported"), say("{game}: {marks} is reported.")),
    EventDescription(ev.StatementMade, say("Result stated"), say("{game}: {player} states {marks}.")),
    EventDescription(ev.CallMade, say("Arbiter called"), call_made),
    EventDescription(ev.ResultCorrected, say("Result corrected"), result_corrected),
)
