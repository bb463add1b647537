"""Commands of penalties rebuilt from their events for the audit, if they are not their event's fields."""

from services.penalties.rules import commands as co
from shared.core.events import ArrivalNoted, RulingMade
from shared.desk.rules_port import Written, copy_fields


def game_decision(written: Written) -> co.DecideGame:
    """Return the command that decided the result of a game, from a ruling that accuses neither player."""
    ruling: RulingMade = written.events[0]
    assert ruling.game is not None and ruling.effect.white is not None and ruling.effect.black is not None, (
        "a game is decided"
    )
    return co.DecideGame(
        written.actor, ruling.game, ruling.infraction, ruling.effect.white, ruling.effect.black, ruling.note
    )


def check_in(written: Written) -> co.CheckIn:
    """Return the check-in of all the arrivals."""
    noted = (event for event in written.events if isinstance(event, ArrivalNoted))
    return co.CheckIn(written.actor, tuple(copy_fields(co.NoteArrival, one, actor=written.actor) for one in noted))
