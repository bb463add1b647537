"""Players who have not checked in: their list for a round that is not paired yet, and the commands about them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from services.pairing.rules import commands as co
from services.pairing.rules.pairing_input import players_to_seat
from shared.core.language.messages import Message, say
from shared.core.readings.scoring import scores
from shared.core.readings.vocabulary import BYES
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, PlayerId
from shared.core.values.bounds import ENTRY
from shared.http.language import language
from shared.log.texts import Texts


class Choice(NamedTuple):
    """A choice about absent players: its command, and the function that makes it for the round ``round``."""

    command: type[Any]
    make: Callable[[Actor, Texts, tuple[PlayerId, ...], int], Any]


def _withdrawn(actor: Actor, texts: Texts, players: tuple[PlayerId, ...], round: int) -> co.WithdrawPlayers:
    return co.WithdrawPlayers(actor, players, texts.ref(language.words(say("did not come to the check-in"))))


CHOICES: Mapping[str, Choice] = {
    "here": Choice(co.CheckInPlayers, lambda actor, texts, players, round: co.CheckInPlayers(actor, players)),
    "bye": Choice(co.GrantByes, lambda actor, texts, players, round: co.GrantByes(actor, players, round, "Z")),
    "withdrawal": Choice(co.WithdrawPlayers, _withdrawn),
}
"""The choices by the name that forms send."""


def absent_players(t: Tournament, round: int) -> list[PlayerId]:
    """Return the players to seat in ``round`` who have not checked in, by starting number.

    If no player is checked in, the event does without a check-in, and the list is empty. A player who has played a game in
    an earlier round has arrived, with or without a check-in.
    """
    if not t.checked_in:
        return []
    table = scores(t, round - 1)
    return [
        entry.player
        for entry in players_to_seat(t, round)
        if entry.player not in t.checked_in and all(r.kind != "played" for r in table[entry.player].rounds)
    ]


def grants_byes(t: Tournament, round: int) -> bool:
    """Return whether players can have a requested bye in ``round``: not if a table gives the pairings."""
    return FORMATS[stage_now(t).format].paired_freely and round <= t.announced.rounds


def decision_about(t: Tournament, player: PlayerId, round: int) -> Message | None:
    """Return what was decided about an absent player, as the state shows it, or None if nothing was decided."""
    if t.players[player].left_after is not None:
        return say("withdrawn from the tournament")
    if (player, round) in t.byes:
        return BYES[t.byes[player, round].kind]
    return say("has checked in") if player in t.checked_in else None


def player_numbers(words: Iterable[str]) -> list[PlayerId]:
    """Return the IDs of players among these words, each once. Other words are left out."""
    numbers = dict.fromkeys(int(word) for word in words if is_number(word))
    return [PlayerId(n) for n in numbers if n <= ENTRY.high]


def is_number(word: str) -> bool:
    """Return whether a word is a whole number of at most six digits."""
    return word.isascii() and word.isdigit() and len(word) <= 6
