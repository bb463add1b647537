"""The game that a ruling or an arrival is about."""

from shared.core.language.messages import say
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GameId, PlayerId, Refusal


def game_of_round(t: Tournament, player: PlayerId, round: int) -> Game | None:
    """Return the player's game in a round's pairing in force, or None with a bye or without a pairing."""
    pairing = t.current(round)
    boards = () if pairing is None else pairing.event.boards
    return next((t.games[b.game] for b in boards if player in (b.white, b.black)), None)


def game_in_force(t: Tournament, game: GameId | None) -> Game | None:
    """Return the game with this ID, or None if it does not exist or its pairing was withdrawn."""
    entry = None if game is None else t.games.get(game)
    if entry is None or t.pairings[entry.pairing - 1].withdrawn is not None:
        return None
    return entry


def game_for(t: Tournament, player: PlayerId, round: int | None, game: GameId | None) -> Game | Refusal | None:
    """Return the given game, or the player's game of the round, or None if the round has none for the player.

    Refusals: ``unknown-player``, ``not-a-player-of-the-game``, ``game-of-another-round``, and those of `game_of`.
    """
    if player not in t.players:
        return unknown_player(player, "player")
    if game is None:
        assert round is not None, "a round or a game is named"
        return game_of_round(t, player, round)
    entry = game_of(t, game)
    if isinstance(entry, Refusal):
        return entry
    if player not in (entry.white, entry.black):
        detail = say("player {player} has no seat in {game}", player=player, game=game)
        return Refusal("invalid", "not-a-player-of-the-game", detail, where="player")
    if round not in (None, entry.round):
        detail = say("the round must be {round}, the round of {game}", game=game, round=entry.round)
        return Refusal("invalid", "game-of-another-round", detail, where="game")
    return entry


def unknown_player(player: PlayerId, where: str) -> Refusal:
    """Return the refusal ``unknown-player`` for a number that no entry has."""
    return Refusal("unknown", "unknown-player", say("player {player} is not registered", player=player), where=where)


def game_of(t: Tournament, game: GameId) -> Game | Refusal:
    """Return a game of a pairing in force. Refusals: ``unknown-game``, ``pairing-withdrawn``."""
    if game not in t.games:
        return Refusal("unknown", "unknown-game", say("game {game} does not exist", game=game), where="game")
    return game_in_force(t, game) or Refusal(
        "rule", "pairing-withdrawn", say("the pairing of {game} was withdrawn", game=game), where="game"
    )


def refuse_decided(game: Game, where: str) -> Refusal:
    """Return the refusal ``game-decided`` of an arrival or a break in a game that has a result."""
    detail = say("{game} has a result", game=game.game)
    return Refusal("rule", "game-decided", detail, where=where, see=f"/v1/games/{game.game}")


def refuse_without_game(player: PlayerId, round: int | None) -> Refusal:
    """Return the refusal ``no-game`` for a player who has no game in the round."""
    detail = say("player {player} has no game in round {round}", player=player, round=str(round))
    return Refusal("unknown", "no-game", detail, where="round")
