"""The events of games, described: begun, ended, reported, corrected, what was claimed and found."""

from services.standings.descriptions.event_description import Call, EventDescription, Mentions, game_words, of, of_game
from services.standings.descriptions.words import article
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.readings.claims import accused_of
from shared.core.readings.vocabulary import CLAIMS, FINDINGS, display_name, fact_words
from shared.core.rulebook.terminations import TERMINATIONS
from shared.core.state.tournament import TournamentState
from shared.web.result_words import marks


def game_started(t: TournamentState, d: ev.GameStarted, call: Call) -> Message:
    game = game_words(t, d.game, call)
    if d.position is not None:
        return say("{game} begins from a position that was set up: {position}.", game=game, position=d.position)
    return say("{game} begins.", game=game)


def colours_corrected(t: TournamentState, d: ev.ColoursCorrected, call: Call) -> Message:
    game = game_words(t, d.game, call)
    if d.reversed:
        return say("{game} goes on with the colours reversed.", game=game)
    return say("{game} has the colours of its pairing again.", game=game)


def colours_settled(t: TournamentState, d: ev.ColoursSettled, call: Call) -> Message:
    game = game_words(t, d.game, call)
    if d.black is None:
        return say("{game}: the colours are open again.", game=game)
    holder = None if d.game not in t.games else call(t.games[d.game].player(d.black))
    if holder is None:
        return say("{game}: the score sheet shows the colours.", game=game)
    return say("{game}: {player} holds Black's pieces by the score sheet.", game=game, player=holder)


def game_ended(t: TournamentState, d: ev.GameEnded, call: Call) -> Message:
    game, why = game_words(t, d.game, call), TERMINATIONS[d.termination].words
    return say("{game} ends {marks}: {why}.", game=game, marks=marks(d.white, d.black), why=why)


def finding_made(t: TournamentState, d: ev.FindingMade, call: Call) -> Message:
    return say(
        "{game}: the score sheet shows {finding} by {player} at ply {ply}.",
        game=game_words(t, d.game, call),
        finding=display_name(FINDINGS, d.kind),
        player=call(d.player),
        ply=d.ply,
    )


def of_finding(t: TournamentState, d: ev.FindingMade) -> Mentions:
    """The player it is about, and the game."""
    return of(d.player) | of_game(t, d.game)


def claim_pending(t: TournamentState, d: ev.ClaimPending, call: Call) -> Message:
    named = " ".join(one for one in (d.move, *d.squares) if one)
    claim = display_name(CLAIMS, d.kind)
    accused = accused_of(d)
    if accused is None:
        return say(
            "{game}: {player} claims {what} at ply {ply}; claim {claim} waits for an arbiter.",
            game=game_words(t, d.game, call),
            player=call(d.player),
            what=claim,
            ply=d.ply,
            claim=d.claim,
        )
    return say(
        "{game}: {player} claims {what} of {accused} at ply {ply}; claim {claim} waits for an arbiter.",
        game=game_words(t, d.game, call),
        player=call(d.player),
        what=say("{claim} {named}", claim=claim, named=named) if named else claim,
        accused=call(accused),
        ply=d.ply,
        claim=d.claim,
    )


def claim_settled(t: TournamentState, d: ev.ClaimSettled, call: Call) -> Message:
    game = game_words(t, d.game, call)
    if d.upheld:
        return say("{game}: claim {claim} is upheld by an arbiter.", game=game, claim=d.claim)
    return say("{game}: claim {claim} is denied by an arbiter.", game=game, claim=d.claim)


_WITHDRAWN = {"stated_anew": say("the touch was stated again"), "taken_back": say("the moves were taken back")}


def finding_withdrawn(t: TournamentState, d: ev.FindingWithdrawn, call: Call) -> Message:
    return say(
        "{game}: finding {finding} is withdrawn, since {why}.",
        game=game_words(t, d.game, call),
        finding=d.finding,
        why=_WITHDRAWN[d.why],
    )


def of_withdrawal(t: TournamentState, d: ev.FindingWithdrawn) -> Mentions:
    """Those of the finding."""
    finding = t.findings.get(d.finding)
    return of_game(t, d.game) if finding is None else of_finding(t, finding.event)


def facts_checked(t: TournamentState, d: ev.FactsChecked, call: Call) -> Message:
    game = game_words(t, d.game, call)
    if not d.contradicted:
        return say("{game}: the score sheet does not contradict ruling {ruling}.", game=game, ruling=d.ruling)
    return say(
        "{game}: the score sheet contradicts ruling {ruling}: it shows {facts} ({article}).",
        game=game,
        ruling=d.ruling,
        facts=fact_words(d.contradicted),
        article=article(d.article),
    )


def result_reported(t: TournamentState, d: ev.ResultReported, call: Call) -> Message:
    return say("{game}: {marks} is reported.", game=game_words(t, d.game, call), marks=marks(d.white, d.black))


def result_corrected(t: TournamentState, d: ev.ResultCorrected, call: Call) -> Message:
    game, result = game_words(t, d.game, call), marks(d.white, d.black)
    if d.beneath:
        return say(
            "{game}: corrected to {marks}; takes effect if ruling {ruling} is annulled.",
            game=game,
            marks=result,
            ruling=d.beneath,
        )
    return say("{game}: corrected to {marks}.", game=game, marks=result)


DESCRIPTIONS = (
    EventDescription(ev.GameStarted, say("Game started"), game_started, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ColoursCorrected, say("Colours corrected"), colours_corrected, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ColoursSettled, say("Colours settled"), colours_settled, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.GameEnded, say("Game ended"), game_ended, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.FindingMade, say("Finding made"), finding_made, of_finding),
    EventDescription(
        ev.ClaimPending, say("Claim made"), claim_pending, lambda t, d: of(d.player, d.accused) | of_game(t, d.game)
    ),
    EventDescription(ev.ClaimSettled, say("Claim settled"), claim_settled, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.FindingWithdrawn, say("Finding withdrawn"), finding_withdrawn, of_withdrawal),
    EventDescription(ev.FactsChecked, say("Facts checked"), facts_checked, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ResultReported, say("Result reported"), result_reported, lambda t, d: of_game(t, d.game)),
    EventDescription(ev.ResultCorrected, say("Result corrected"), result_corrected, lambda t, d: of_game(t, d.game)),
)
