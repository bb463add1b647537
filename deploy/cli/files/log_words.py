"""Events of a log in sentences, as the page of the log shows them."""

from collections.abc import Mapping
from datetime import UTC

from deploy.cli.terminal.verb import show, words
from services.standings.descriptions.registry import sentence
from services.standings.descriptions.words import texts
from shared.core.events import Event
from shared.core.language.messages import MessageFact, say
from shared.core.readings.vocabulary import ROLES, display_name
from shared.core.state.tournament import TournamentState
from shared.core.terms import PlayerId
from shared.http.language.language import in_zone, zone_named
from shared.web.times import DAY_AND_TIME


class LogWords:
    """The sentences of one tournament's events. ``known``: its erasable texts by hash, None if they are not available."""

    def __init__(self, t: TournamentState, known: Mapping[str, str] | None) -> None:
        self._t, self._known = t, known or {}
        self._zone = (zone_named(t.announced.time_zone) if t.announced is not None else None) or UTC

    def sentence_of(self, event: Event) -> str:
        """Return an event as a sentence in the reader's language. Players without a known name are numbers."""
        return words(sentence(self._t, event.data, self.call))

    def print(self, event: Event) -> None:
        """Print an event: its number and sentence, the texts written with it, its author and its time."""
        show(f"{event.seq:>5}  {self.sentence_of(event)}")
        for ref in texts(event.data):
            if ref.text in self._known:
                show(f"       “{words(self._known[ref.text])}”")
        show(f"       {self._author(event)} · {self._time(event.time)}")

    def call(self, player: PlayerId) -> MessageFact:
        """Return a player's name, or the number if the name is not available."""
        entry = self._t.players.get(player)
        name = None if entry is None else self._known.get(entry.name.text)
        return say("player {player}", player=player) if name is None else name

    def _author(self, event: Event) -> str:
        role = display_name(ROLES, event.role)
        return words(role if event.actor == event.role else say("{actor}, {role}", actor=event.actor, role=role))

    def _time(self, time: str) -> str:
        try:
            at = in_zone(time, self._zone)
        except ValueError:
            return words(time)
        return f"{at.strftime(DAY_AND_TIME)} {at.isoformat()[-6:]}"
