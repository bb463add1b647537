"""Each line of the log as a sentence, for the readable log."""

from collections.abc import Callable

from shared.core import events as ev
from shared.core.events import Data
from shared.core.terms import GameId, PlayerId, TextRef, TimeControl
from shared.core.tournament import Tournament
from shared.web.page import marks, points

Call = Callable[[PlayerId], str]

BYES = {
    "U": "the pairing-allocated bye",
    "F": "a full-point bye",
    "H": "a half-point bye",
    "Z": "a zero-point bye",
}
EFFECTS = {
    "warn": "a warning",
    "foul": "a foul",
    "adjust_clock": "time on the clock",
    "set_marks": "the result of the game",
    "adjust_points": "points",
    "exclude": "exclusion from rounds",
    "expel": "expulsion",
}


def effect(e: ev.Effect) -> str:
    """What a ruling does, in words."""
    told = EFFECTS[e.kind]
    if e.kind == "set_marks" and e.white is not None and e.black is not None:
        return f"{told}: {marks(e.white, e.black)}"
    if e.points is not None:
        return f"{points(e.points)} {told}"
    if e.clock is not None:
        return f"{told}: {e.clock} s"
    if e.rounds:
        return f"{told} {', '.join(map(str, e.rounds))}"
    return told


def control(time: TimeControl) -> str:
    """A time control in words: "40 moves in 90 min, then all moves in 15 min; 30 s added with each move"."""
    periods = ", then ".join(f"{p.moves or 'all'} moves in {_long(p.seconds)}" for p in time.periods)
    if time.periods and time.periods[-1].moves:
        periods += ", again and again"
    added = f"{time.increment} s added with each move" if time.increment else ""
    always = f"{time.byo_yomi} s a move" if time.byo_yomi else ""
    return "; ".join(filter(None, (periods, added, always)))


def _long(seconds: int) -> str:
    return f"{seconds} s" if seconds % 60 else f"{seconds // 60} min"


def texts(data: Data) -> tuple[TextRef, ...]:
    """What was written with a line: reasons, notes, grounds. Names are not among them."""
    named = ("reason", "note", "grounds")
    return tuple(ref for name in named if isinstance(ref := getattr(data, name, None), TextRef))


def sentence(t: Tournament, data: Data, call: Call) -> str:
    """A line in words; ``call`` gives a player's name."""
    match data:
        case ev.TournamentAnnounced():
            over = f", {data.rounds} rounds" if data.rounds else ""
            time = f", {control(data.conditions.time)}" if data.conditions.time else ""
            return f"{data.name} is announced: {data.game}, {data.format.replace('_', ' ')}{over}{time}."
        case ev.RegulationsAdopted():
            return f"The regulations {data.regulations.name} ({data.regulations.edition}) are adopted."
        case ev.OfficialAppointed():
            return f"{data.official} is appointed {data.role.replace('_', ' ')}."
        case ev.OfficialDismissed():
            return f"{data.official} is dismissed."
        case ev.PlayerEntered():
            return f"{call(data.player)} enters as number {data.player}."
        case ev.StartingNumbersAssigned():
            return f"Starting numbers are assigned to {len(data.numbers)} players."
        case ev.PlayerWithdrew():
            stand = "the results stand" if data.results_stand else "the results are annulled"
            rest = ", what is not played is forfeited" if data.unplayed == "forfeit" else ""
            how = "withdraws" if data.ruling is None else f"is expelled by ruling {data.ruling} and leaves"
            return f"{call(data.player)} {how} after round {data.after_round}; {stand}{rest}."
        case ev.ByeGranted():
            return f"{call(data.player)} gets {BYES[data.kind]} in round {data.round}."
        case ev.RoundPaired():
            by = "by hand" if data.engine is None else f"by {data.engine.name} {data.engine.version}"
            seats = f"{_many(len(data.boards), 'board')}, {_many(len(data.byes), 'bye')}"
            return f"Round {data.round} is paired {by}: {seats}."
        case ev.PairingWithdrawn():
            return f"The pairing of round {data.round} is withdrawn."
        case ev.TextErased():
            return f"The text {data.hash[:12]}… is erased."
    return _arranged(t, data, call)


def _arranged(t: Tournament, data: Data, call: Call) -> str:
    match data:
        case ev.PlayerReturned():
            return f"{call(data.player)} plays again from round {data.first_round} on."
        case ev.PairsForbidden():
            pairs = ", ".join(" – ".join(map(call, pair)) for pair in data.pairs)
            return f"Who may not be paired: {pairs or 'nobody'}."
        case ev.BoardFixed():
            where = (
                f"plays on board {data.board} in every round" if data.board else "has no board of their own any more"
            )
            return f"{call(data.player)} {where}."
        case ev.TeamEntered():
            return f"Team {data.team} enters: {', '.join(map(call, data.members))}."
        case ev.LineupHandedIn():
            return f"Team {data.team} plays round {data.round} with {', '.join(map(call, data.players))}."
        case ev.LotDrawn():
            return f"Match {data.match} is decided by lot: {data.winner} has it."
    return _hall(t, data, call)


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")


def _hall(t: Tournament, data: Data, call: Call) -> str:
    match data:
        case ev.ColoursCorrected():
            what = "goes on with the colours reversed" if data.reversed else "has the colours of its pairing again"
            return f"{_game(t, data.game, call)} {what}."
        case ev.GameStarted():
            return f"{_game(t, data.game, call)} begins."
        case ev.GameEnded():
            why = data.termination.replace("_", " ")
            return f"{_game(t, data.game, call)} ends {marks(data.white, data.black)}: {why}."
        case ev.FindingMade():
            found = f"{data.kind.replace('_', ' ')} of {call(data.player)} at ply {data.ply}"
            return f"{_game(t, data.game, call)}: {found} is found."
        case ev.ResultReported():
            return f"{_game(t, data.game, call)}: {marks(data.white, data.black)} is reported."
        case ev.ResultCorrected():
            beneath = f", waiting beneath ruling {data.beneath}" if data.beneath else ""
            return f"{_game(t, data.game, call)}: corrected to {marks(data.white, data.black)}{beneath}."
        case ev.StandingsPublished():
            kind = "final table" if data.final else "table"
            return f"The {kind} after round {data.round} is published, digest {data.digest[:12]}…"
    return _tribunal(t, data, call)


def _tribunal(t: Tournament, data: Data, call: Call) -> str:
    match data:
        case ev.ArrivalNoted():
            late = "did not come" if data.late is None else f"came {data.late} s late"
            return f"{_game(t, data.game, call)}: {call(data.player)} {late}."
        case ev.BreakTaken():
            return f"{_game(t, data.game, call)}: {call(data.player)} was away for {data.seconds} s."
        case ev.FindingAnswered():
            return f"Finding {data.finding} is answered."
        case ev.RulingMade():
            rests = f", because of {', '.join(data.because)}" if data.because else ""
            what = f"{data.infraction.replace('_', ' ')} of {call(data.player)} in round {data.round}"
            return f"Ruling {data.ruling}: {what}; {effect(data.effect)} (article {data.article}){rests}."
        case ev.RulingAnnulled():
            return f"Ruling {data.annuls} is annulled by {data.ruling} (article {data.article})."
        case ev.AppealLodged():
            return f"{call(data.by)} appeals against ruling {data.ruling} ({data.appeal})."
        case ev.AppealDecided():
            return f"Appeal {data.appeal} is {'upheld' if data.upheld else 'rejected'} (article {data.article})."
        case ev.CrossingNoted():
            return f"The crossing at line {data.seq} is noted."
    raise AssertionError(f"no sentence for {type(data).__name__}")


def _game(t: Tournament, id: GameId, call: Call) -> str:
    game = t.games.get(id)
    if game is None:
        return f"Game {id}"
    return f"Round {game.round}, board {game.board}, {call(game.white)} – {call(game.black)}"
