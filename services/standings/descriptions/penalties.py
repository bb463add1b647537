"""Penalties' events, described: arrivals, breaks, rulings, annulments, appeals, crossings."""

from services.standings.descriptions.event_description import (
    Call,
    EventDescription,
    Mentions,
    game_words,
    nobody,
    of,
    of_game,
)
from services.standings.descriptions.games import of_finding
from services.standings.descriptions.words import article, effect, infraction
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.readings.vocabulary import duration
from shared.core.state.tournament import TournamentState
from shared.core.terms import RulingId
from shared.web.page import circumstances


def arrival_noted(t: TournamentState, d: ev.ArrivalNoted, call: Call) -> Message:
    game, player, came = game_words(t, d.game, call), call(d.player), _arrival(d)
    if d.arrival:
        return say("{game}: {player} {came} ({id}).", game=game, player=player, came=came, id=d.arrival)
    return say("{game}: {player} {came}.", game=game, player=player, came=came)


def arrival_corrected(t: TournamentState, d: ev.ArrivalCorrected, call: Call) -> Message:
    return say(
        "{game}: {player} {came} ({id}, which corrects {corrected}).",
        game=game_words(t, d.game, call),
        player=call(d.player),
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
    game, player = game_words(t, d.game, call), call(d.player)
    if d.id:
        return say(
            "{game}: {player} was away for {time} ({id}).", game=game, player=player, time=duration(d.seconds), id=d.id
        )
    return say("{game}: {player} was away for {time}.", game=game, player=player, time=duration(d.seconds))


def break_corrected(t: TournamentState, d: ev.BreakCorrected, call: Call) -> Message:
    away = say("was not away") if d.seconds is None else say("was away for {time}", time=duration(d.seconds))
    return say(
        "{game}: {player} {away} ({id}, which corrects {corrected}).",
        game=game_words(t, d.game, call),
        player=call(d.player),
        away=away,
        id=d.id,
        corrected=d.corrects,
    )


def finding_answered(t: TournamentState, d: ev.FindingAnswered, call: Call) -> Message:
    return say("Finding {finding} is answered.", finding=d.finding)


def of_answer(t: TournamentState, d: ev.FindingAnswered) -> Mentions:
    """Those of the finding."""
    finding = t.findings.get(d.finding)
    return Mentions() if finding is None else of_finding(t, finding.event)


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
        say("{infraction}, nobody accused, in round {round}", infraction=name, round=d.round)
        if d.player is None
        else say("{infraction} of {player} in round {round}", infraction=name, player=call(d.player), round=d.round)
    )
    known = circumstances(d.ply, d.facts)
    return what if known is None else say("{what} ({known})", what=what, known=known)


def of_ruling_made(t: TournamentState, d: ev.RulingMade) -> Mentions:
    """The player it is about, its round, and the game."""
    players = () if d.player is None else (d.player,)
    return of(*players, rounds=(d.round,)) | of_game(t, d.game)


def of_ruling(t: TournamentState, id: RulingId) -> Mentions:
    """Those of a ruling, or of the ruling which an annulment took away."""
    ruling, annulment = t.rulings.get(id), t.annulments.get(id)
    if ruling is not None:
        return of_ruling_made(t, ruling.event)
    return Mentions() if annulment is None else of_ruling(t, annulment.event.annuls)


def ruling_annulled(t: TournamentState, d: ev.RulingAnnulled, call: Call) -> Message:
    by = article(d.article)
    if d.retracted:
        return say(
            "Ruling {annulled} is retracted as a slip by {ruling} ({article}).",
            annulled=d.annuls,
            ruling=d.ruling,
            article=by,
        )
    return say("Ruling {annulled} is annulled by {ruling} ({article}).", annulled=d.annuls, ruling=d.ruling, article=by)


def appeal_lodged(t: TournamentState, d: ev.AppealLodged, call: Call) -> Message:
    return say(
        "{player} appeals against ruling {ruling} ({appeal}).", player=call(d.by), ruling=d.ruling, appeal=d.appeal
    )


def of_appeal(t: TournamentState, d: ev.AppealLodged) -> Mentions:
    """The player who appeals, and those of the ruling."""
    return of(d.by) | of_ruling(t, d.ruling)


def appeal_decided(t: TournamentState, d: ev.AppealDecided, call: Call) -> Message:
    if d.upheld:
        return say("Appeal {appeal} is upheld ({article}).", appeal=d.appeal, article=article(d.article))
    return say("Appeal {appeal} is rejected ({article}).", appeal=d.appeal, article=article(d.article))


def of_decision(t: TournamentState, d: ev.AppealDecided) -> Mentions:
    """Those of the appeal."""
    appeal = t.appeals.get(d.appeal)
    return Mentions() if appeal is None else of_appeal(t, appeal.event)


def crossing_noted(t: TournamentState, d: ev.CrossingNoted, call: Call) -> Message:
    return say("The concurrent decision (event {seq}) is noted.", seq=d.seq)


DESCRIPTIONS = (
    EventDescription(
        ev.ArrivalNoted, say("Arrival noted"), arrival_noted, lambda t, d: of(d.player) | of_game(t, d.game)
    ),
    EventDescription(
        ev.ArrivalCorrected, say("Arrival corrected"), arrival_corrected, lambda t, d: of(d.player) | of_game(t, d.game)
    ),
    EventDescription(ev.BreakTaken, say("Break taken"), break_taken, lambda t, d: of(d.player) | of_game(t, d.game)),
    EventDescription(
        ev.BreakCorrected, say("Break corrected"), break_corrected, lambda t, d: of(d.player) | of_game(t, d.game)
    ),
    EventDescription(ev.FindingAnswered, say("Finding answered"), finding_answered, of_answer),
    EventDescription(ev.RulingMade, say("Ruling made"), ruling_made, of_ruling_made),
    EventDescription(ev.RulingAnnulled, say("Ruling annulled"), ruling_annulled, lambda t, d: of_ruling(t, d.annuls)),
    EventDescription(ev.AppealLodged, say("Appeal lodged"), appeal_lodged, of_appeal),
    EventDescription(ev.AppealDecided, say("Appeal decided"), appeal_decided, of_decision),
    EventDescription(ev.CrossingNoted, say("Concurrent decision noted"), crossing_noted, nobody),
)
