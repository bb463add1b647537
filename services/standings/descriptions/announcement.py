"""The sentences of changes of an announcement."""

from services.standings.descriptions.event_description import Call
from services.standings.descriptions.words import commas
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState
from shared.web.names import isolated

DETAILS: dict[str, Message] = {
    "name": say("the name"),
    "place": say("the place"),
    "begins": say("the first day"),
    "ends": say("the last day"),
    "time_zone": say("the time zone"),
    "rounds": say("the number of rounds"),
}


def tournament_corrected(t: TournamentState, d: ev.TournamentCorrected, call: Call) -> Message:
    what = [
        say("{member} is now {value}", member=DETAILS[name], value=isolated(str(value)))
        if value != ""
        else say("{member} is removed", member=DETAILS[name])
        for name, value in d.changes.items()
    ]
    return say("The tournament is corrected: {what}.", what=commas(what))


def listing_set(t: TournamentState, d: ev.ListingSet, call: Call) -> Message:
    if d.listed:
        return say("The tournament is listed: everybody finds and reads it.")
    return say("The tournament is unlisted while it is prepared: only readers with a token see it.")
