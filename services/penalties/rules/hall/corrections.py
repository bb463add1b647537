"""The checks common to corrections of arrivals and of breaks."""

from collections.abc import Mapping

from services.penalties.rules.game_lookup import game_of
from services.penalties.rules.hall.forfeits import are_correctable
from shared.core.language.messages import Message, say, term
from shared.core.state.entities import Arrival, Break, Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

SHOWN = 10
"""Number of valid IDs listed when the ID to be corrected does not exist."""


def corrected_game(
    t: Tournament, what: str, id: str, notes: Mapping[str, Arrival] | Mapping[str, Break], address: str
) -> Game | Refusal:
    """Return the game of the arrival or break ``id``, which must be in force and of decision edition 2 or later.

    ``notes``: all arrivals or breaks by ID. ``what`` is "arrival" or "break", ``address`` that of their list. Refusals:
    ``unknown-arrival`` or ``unknown-break``, ``not-in-force`` (with the ID of the newest correction),
    ``earlier-edition``, and those of `game_of`.
    """
    note = notes.get(id)
    if note is None:
        known = [one for one in notes if one not in t.corrections][-SHOWN:]
        there = say("in force are {known}", known=tuple(known)) if known else say("none is recorded")
        return Refusal(
            "unknown",
            "unknown-arrival" if what == "arrival" else "unknown-break",
            say("{what} {id} does not exist; {there}", what=term(what), id=id[:40], there=there),
            where=what,
            see=address,
        )
    if id in t.corrections:
        newest = id
        while newest in t.corrections:
            newest = t.corrections[newest]
        detail = say(
            "{what} {id} was corrected by {newest}: correct {newest} instead",
            what=term(what),
            id=id,
            newest=newest,
        )
        return Refusal("rule", "not-in-force", detail, where=what, see=f"{address}/{newest}")
    if not are_correctable(t, note.noted):
        return refuse_edition(
            t,
            say("{what} {id} was recorded under an earlier edition: annul its ruling instead", what=term(what), id=id),
        )
    return game_of(t, note.game)


def refuse_edition(t: Tournament, detail: Message) -> Refusal:
    """Return the refusal ``earlier-edition`` for a command that requires decision edition 2."""
    return Refusal(
        "rule",
        "earlier-edition",
        say("this requires decision edition 2; {detail}", detail=detail),
        see=f"/v1/tournaments/{t.id}",
    )
