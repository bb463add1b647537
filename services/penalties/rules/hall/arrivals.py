"""Arrivals: late and absent players (迟到, 缺席); a round's check-in (签到); corrections."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import CheckIn, CorrectArrival, NoteArrival
from services.penalties.rules.game_lookup import game_for, refuse_decided, refuse_without_game
from services.penalties.rules.hall.corrections import corrected_game, refuse_edition
from services.penalties.rules.hall.forfeits import Infraction, are_correctable, forfeit, infraction_of, is_too_late
from shared.core.event_types.evolve import fork_after
from shared.core.events import ArrivalCorrected, ArrivalNoted, Decision, Official
from shared.core.language.messages import say, term
from shared.core.readings.removal_refusals import refuse_barred
from shared.core.rulebook.regulations import Lateness
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import PENALTIES, GameId, Place, PlayerId, Refusal, Seconds


def note_arrival(t: Tournament, c: NoteArrival) -> Decision | Refusal:
    """Record when a player arrived.

    A player who comes to the seat after the limit, or not at all, loses the game unplayed (000-A 8; 002-X 21). An
    arrival in the playing venue has no consequence. Refusals: those of `game_for`, ``no-game``, ``unknown-board``,
    ``bad-lateness``, ``bad-place``, ``turn-missing``, ``turn-not-asked``, ``arrival-noted``, ``game-decided``,
    ``player-removed``, ``earlier-edition``.
    """
    seat = _seat(t, c)
    if isinstance(seat, Refusal):
        return seat
    game, player = seat
    rule = t.regulations.rulebook.lateness
    refusal = (
        _refuse_values(t, rule, c.late, c.place)
        or _refuse_turn(rule, c.late, c.place, c.turn)
        or _refuse_second(t, game.game, player, c.place)
        or _refuse_played(t, game)
        or refuse_barred(t, player, game.round, "player")
    )
    if refusal is not None:
        return refusal
    if t.regulations.decisions >= 2:
        return Decision(events=(ArrivalNoted(player, game.game, c.late, _id(t), c.place, c.turn),))
    arrival = ArrivalNoted(player, game.game, c.late)
    if not is_too_late(rule, c.late):
        return Decision(events=(arrival,))
    infraction = Infraction("absence" if c.late is None else "lateness", player, game)
    return Decision(events=(arrival,), brought=(forfeit(fork_after(t, PENALTIES, (arrival,)), infraction),))


def check_in(t: Tournament, c: CheckIn) -> Decision | Refusal:
    """Record the arrivals of a round, either all or none: the first refusal refuses all.

    Refusals: those of `note_arrival`, ``earlier-edition``.
    """
    if t.regulations.decisions < 2:
        return refuse_edition(t, say("this tournament records arrivals one by one: send one player per command"))
    events: list[Official] = []
    for arrival in c.arrivals:
        answer = note_arrival(fork_after(t, PENALTIES, events), arrival)
        if isinstance(answer, Refusal):
            return answer
        events += answer.events
    return Decision(events=tuple(events))


def correct_arrival(t: Tournament, c: CorrectArrival) -> Decision | Refusal:
    """Correct an arrival that was recorded wrongly. Rulings that result from it lapse or are made again.

    A correction is accepted even after the next round was paired, but it cannot make a player lose a game that was
    played (``game-decided``). Other refusals: those of `corrected_game`, ``bad-lateness``, ``bad-place``,
    ``turn-missing``, ``turn-not-asked``, ``arrival-unchanged``, ``arrival-noted``.
    """
    game = corrected_game(t, "arrival", c.corrects, t.arrivals, _address(t))
    if isinstance(game, Refusal):
        return game
    before = t.arrivals[c.corrects]
    place: Place = c.place or ("seat" if c.late is None else before.place)
    turn = c.turn if c.turn is not None or c.late is None or place != "seat" else before.turn
    after = before._replace(late=c.late, place=place, turn=turn)
    rule = t.regulations_at(before.noted).rulebook.lateness
    refusal = _refuse_values(t, rule, c.late, place) or _refuse_turn(rule, c.late, place, turn)
    if refusal is not None:
        return refusal
    if after == before:
        detail = say("arrival {arrival} already has these values", arrival=c.corrects)
        return Refusal("rule", "arrival-unchanged", detail, where="late", see=f"{_address(t)}/{c.corrects}")
    refusal = None if place == before.place else _refuse_second(t, game.game, before.player, place)
    if refusal is None and infraction_of(t, after) is not None:
        refusal = _refuse_played(t, game)
    corrected = ArrivalCorrected(_id(t), c.corrects, before.player, game.game, c.late, place, c.reason, turn)
    return refusal or Decision(events=(corrected,))


def _seat(t: Tournament, c: NoteArrival) -> tuple[Game, PlayerId] | Refusal:
    """Return the game and the player of a command. Refusals: those of `game_for`, ``no-game``, ``unknown-board``."""
    if c.player is not None:
        game = game_for(t, c.player, c.round, c.game)
        if isinstance(game, Refusal):
            return game
        return refuse_without_game(c.player, c.round) if game is None else (game, c.player)
    assert c.round is not None and c.board is not None and c.side is not None, "a player is named, or a seat"
    there = t.game_at(c.round, c.board)
    if there is not None:
        return there, there.player(c.side)
    pairing = t.current(c.round)
    boards = 0 if pairing is None else len(pairing.event.boards)
    detail = (
        say("round {round} has boards 1 to {boards}", round=c.round, boards=boards)
        if boards
        else say("round {round} has no board that is paired", round=c.round)
    )
    see = f"/v1/tournaments/{t.id}" + (f"/rounds/{c.round}" if boards else "")
    return Refusal("unknown", "unknown-board", detail, where="boards", see=see)


def _id(t: Tournament) -> str:
    return f"a{rulebook.next_number(t)}"


def _address(t: Tournament) -> str:
    return f"/v1/tournaments/{t.id}/arrivals"


def _refuse_values(t: Tournament, rule: Lateness, late: Seconds | None, place: Place) -> Refusal | None:
    if late is not None and late < -rule.before:
        return Refusal(
            "invalid",
            "bad-lateness",
            say(
                "late must be in seconds after the start, at least {least}; it may be negative, because "
                "players must be there before the start",
                least=-rule.before,
            )
            if rule.before
            else say("late must be in seconds after the start, at least {least}", least=0),
            rule.article,
            "late",
        )
    if place == "seat":
        return None
    if late is None:
        detail = say(
            "absence is recorded at the seat; for a player who came to the playing area, give the seconds of lateness"
        )
        return Refusal("invalid", "bad-place", detail, rule.article, "place")
    if t.regulations.decisions < 2:
        return refuse_edition(t, say("record only arrivals at the seat in this tournament"))
    return None


def _refuse_turn(rule: Lateness, late: Seconds | None, place: Place, turn: Seconds | None) -> Refusal | None:
    """Return why ``turn`` is wrong or missing, or None.

    ``turn``: seconds from the start to the player's turn. If lateness counts from the turn, it is required for an
    arrival at the seat after the limit (000-A 8.1: 轮他走棋时开动他的棋钟). Refusals: ``turn-not-asked``,
    ``turn-missing``.
    """
    asked = rule.counted_from == "turn" and late is not None and place == "seat"
    if turn is not None and not asked:
        detail = (
            say("this ruleset counts lateness from the start of the round: omit `turn`")
            if rule.counted_from == "start"
            else say("the player did not come to the seat: omit `turn`")
        )
        return Refusal("invalid", "turn-not-asked", detail, rule.article, "turn")
    if asked and turn is None and is_too_late(rule, late):
        detail = say(
            "lateness counts from the player's turn: give it in seconds after the start; use 0 for the player "
            "who moves first, or if the opponent was late too"
        )
        return Refusal("invalid", "turn-missing", detail, rule.article, "turn")
    return None


def _refuse_second(t: Tournament, game: GameId, player: PlayerId, place: Place) -> Refusal | None:
    """Return the refusal ``arrival-noted`` for a second arrival, or None.

    A player has at most one arrival in force at the board and one in the venue. A wrong arrival is corrected.
    """
    noted = t.arrival_of(game, player, place)
    if noted is None:
        return None
    see = f"{_address(t)}/{noted.arrival}"
    detail = say("the arrival of player {player} is already recorded", player=player)
    if are_correctable(t, noted.noted):
        detail = say(
            "the arrival of player {player} is already recorded ({arrival}, {place}): to correct it, "
            "POST {see}/correction",
            player=player,
            arrival=noted.arrival,
            place=term(place),
            see=see,
        )
    return Refusal("rule", "arrival-noted", detail, where="player", see=see)


def _refuse_played(t: Tournament, game: Game) -> Refusal | None:
    """Return the refusal ``game-decided`` if the game was played, because lateness cannot lose it then; or None.

    After a forfeit the other player's arrival can still be noted.
    """
    setting = t.setting(game)
    if setting is None or not (setting.white.played or setting.black.played):
        return None
    return refuse_decided(game, "round")
