"""Penalties' events, described: arrivals, breaks, rulings, annulments, appeals, crossings."""

from services.standings.descriptions.event_description import Call, EventDescription, Mentions, of, of_members
from services.standings.descriptions.words import article, infraction
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.readings.vocabulary import duration
from shared.core.state.tournament import TournamentState
from shared.core.terms import RulingId
from shared.web.page import circumstances
from shared.web.value_words import effect


def arrival_noted(t: TournamentState, d: ev.ArrivalNoted, call: Call) -> Message:
    if d.arrival:
        return say("{game}: {player} {came} ({id}).", came=_arrival(d), id=d.arrival)
    return say("{game}: {player} {came}.", came=_arrival(d))


def arrival_corrected(t: TournamentState, d: ev.ArrivalCorrected, call: Call) -> Message:
    return say(
        "{game}: {player} {came} ({id}, which corrects {corrected}).",
        came=_arrival(d),
        id=d.arrival,
        corrected=d.corrects,
    )


def _arrival(d: ev.ArrivalNoted | ev.ArrivalCorrected) -> Message:
    if d.late is None:
        return say("did not come")
    when = (
        say("{time} late", time=duration(d.late))
        if d.late >= 0
        else say("{time} before the start", time=duration(-d.late))
    )
    if d.place != "seat":
        return say("came only to the playing area, not to the seat, {when}", when=when)
    if d.turn is None:
        return say("came {when}", when=when)
    return say("came {when}; it had become their turn after {turn}", when=when, turn=duration(d.turn))


def break_taken(t: TournamentState, d: ev.BreakTaken, call: Call) -> Message:
    if d.id:
        return say("{game}: {player} was away for {time} ({id}).", time=duration(d.seconds))
    return say("{game}: {player} was away for {time}.", time=duration(d.seconds))


def break_corrected(t: TournamentState, d: ev.BreakCorrected, call: Call) -> Message:
    away = say("was not away") if d.seconds is None else say("was away for {time}", time=duration(d.seconds))
    return say("{game}: {player} {away} ({id}, which corrects {corrected}).", away=away, corrected=d.corrects)


def of_answer(t: TournamentState, d: ev.FindingAnswered) -> Mentions:
    """Those of the finding."""
    finding = t.findings.get(d.finding)
    return Mentions() if finding is None else of_members(t, finding.event)


def ruling_made(t: TournamentState, d: ev.RulingMade, call: Call) -> Message:
    grounds = (*d.because, *d.notes)
    ruled = say(
        "Ruling {ruling}: {what}; {effect} ({article})",
        ruling=d.ruling,
        what=_charge(t, d, call),
        effect=effect(t, d),
        article=article(d.article),
    )
    return (
        say("{ruled}, because of {grounds}.", ruled=ruled, grounds=grounds) if grounds else say("{ruled}.", ruled=ruled)
    )


def _charge(t: TournamentState, d: ev.RulingMade, call: Call) -> Message:
    """Of what somebody is accused, in which round, and what of it is known."""
    name = infraction(t, d.infraction)
    what = (
        say("{infraction} without an accused player, in round {round}", infraction=name, round=d.round)
        if d.player is None
        else say("{infraction} of {player} in round {round}", infraction=name, player=call(d.player), round=d.round)
    )
    known = circumstances(d.ply, d.facts)
    return what if known is None else say("{what} ({known})", what=what, known=known)


def of_ruling(t: TournamentState, id: RulingId) -> Mentions:
    """Return the mentions of a ruling, or of an annulment and of the ruling that it annuls."""
    ruling, annulment = t.rulings.get(id), t.annulments.get(id)
    if ruling is not None:
        return of_members(t, ruling.event)
    return Mentions() if annulment is None else of_annulment(t, annulment.event)


def ruling_annulled(t: TournamentState, d: ev.RulingAnnulled, call: Call) -> Message:
    if d.retracted:
        return say("Ruling {annulled} is retracted as a slip by {ruling} ({article}).", annulled=d.annuls)
    return say("Ruling {annulled} is annulled by {ruling} ({article}).", annulled=d.annuls)


def of_annulment(t: TournamentState, d: ev.RulingAnnulled) -> Mentions:
    """Return the mentions of an annulment and of the ruling that it annuls."""
    return of(rulings=(d.ruling,)) | of_ruling(t, d.annuls)


def appeal_lodged(t: TournamentState, d: ev.AppealLodged, call: Call) -> Message:
    return say("{player} appeals against ruling {ruling} ({appeal}).", player=call(d.by))


def of_appeal(t: TournamentState, d: ev.AppealLodged) -> Mentions:
    """The player who appeals, and those of the ruling."""
    return of(d.by) | of_ruling(t, d.ruling)


def appeal_decided(t: TournamentState, d: ev.AppealDecided, call: Call) -> Message:
    if d.upheld:
        return say("Appeal {appeal} is upheld ({article}).")
    return say("Appeal {appeal} is rejected ({article}).")


def of_decision(t: TournamentState, d: ev.AppealDecided) -> Mentions:
    """Those of the appeal."""
    appeal = t.appeals.get(d.appeal)
    return Mentions() if appeal is None else of_appeal(t, appeal.event)


DESCRIPTIONS = (
    EventDescription(ev.ArrivalNoted, say("Arrival noted"), arrival_noted),
    EventDescription(ev.ArrivalCorrected, say("Arrival corrected"), arrival_corrected),
    EventDescription(ev.BreakTaken, say("Break taken"), break_taken),
    EventDescription(ev.BreakCorrected, say("Break corrected"), break_corrected),
    EventDescription(ev.FindingAnswered, say("Finding answered"), say("Finding {finding} is answered."), of_answer),
    EventDescription(ev.RulingMade, say("Ruling made"), ruling_made),
    EventDescription(ev.RulingAnnulled, say("Ruling annulled"), ruling_annulled, of_annulment),
    EventDescription(ev.AppealLodged, say("Appeal lodged"), appeal_lodged, of_appeal),
    EventDescription(ev.AppealDecided, say("Appeal decided"), appeal_decided, of_decision),
    EventDescription(
        ev.CrossingNoted, say("Concurrent decision noted"), say("The concurrent decision (event {seq}) is noted.")
    ),
)
