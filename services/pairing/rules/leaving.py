"""Players who leave, and byes asked for."""

from services.pairing.rules.commands import GrantBye, WithdrawPlayer
from shared.events import ByeGranted, Decision, PlayerWithdrew
from shared.records import Player
from shared.scoring import scores
from shared.terms import PlayerId, Refusal
from shared.tournament import Tournament


def withdraw(t: Tournament, c: WithdrawPlayer) -> Decision | Refusal:
    """Leave after the rounds paired so far; the pairing of a round already published stands.

    Whether the results stand, and on what count of games played, is said here once and
    for all. Refusals: ``unknown-player``, ``player-left``.
    """
    assert t.regulations is not None
    player = here(t, c.player)
    if isinstance(player, Refusal):
        return player
    played = sum(r.kind == "played" for r in scores(t)[c.player].rounds)
    stand = t.regulations.leaving.results == "stand"
    article = t.regulations.articles.get("leaving.results", "")
    return Decision((PlayerWithdrew(c.player, t.rounds_paired(), stand, played, article, c.reason),))


def grant_bye(t: Tournament, c: GrantBye) -> Decision | Refusal:
    """A bye asked for a round to come: half-point, zero-point or full-point.

    Refusals: ``unknown-player``, ``player-left``, ``bye-kind`` (U is the pairing's to give),
    ``no-such-round``, ``round-paired``, ``bye-granted``, ``not-yet-entered``.
    """
    assert t.announced is not None
    player = here(t, c.player)
    if isinstance(player, Refusal):
        return player
    if c.kind == "U":
        return Refusal("invalid", "bye-kind", "the pairing-allocated bye is given by a pairing", where="kind")
    if not 1 <= c.round <= t.announced.rounds:
        return Refusal("invalid", "no-such-round", f"there are {t.announced.rounds} rounds", where="round")
    if c.round <= t.rounds_paired():
        return Refusal("rule", "round-paired", f"round {c.round} has been paired", "C.04.2", where="round")
    if c.round < player.first_round:
        return Refusal("rule", "not-yet-entered", f"{c.player} plays from round {player.first_round} on", where="round")
    if (c.player, c.round) in t.byes:
        return Refusal("rule", "bye-granted", f"{c.player} has a bye in round {c.round} already", where="round")
    return Decision((ByeGranted(c.player, c.round, c.kind),))


def here(t: Tournament, player: PlayerId) -> Player | Refusal:
    """The entry of one who is still in the tournament."""
    entry = t.players.get(player)
    if entry is None:
        return Refusal("unknown", "unknown-player", f"{player} is not entered", where="player")
    if entry.left_after is not None:
        return Refusal("rule", "player-left", f"{player} left after round {entry.left_after}", where="player")
    return entry
