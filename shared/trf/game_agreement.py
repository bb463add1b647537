"""The agreement of two players' records of their game."""

from collections.abc import Collection, Mapping

from shared.core.language.messages import Message, MessageFact, say, term
from shared.trf.model.columns import TrfError
from shared.trf.model.model import GAME_LETTERS, Entry, TrfPlayer


def require_agreement(players: Mapping[int, TrfPlayer], file: str, among: Collection[int] | None = None) -> None:
    """Raise `TrfError` for the first round in which opponents differ; games against players not ``among`` them are skipped."""
    for player in players.values():
        for round, entry in enumerate(player.rounds, 1):
            if entry is not None and entry.opponent and (among is None or entry.opponent in among):
                _agree(player, entry, round, players.get(entry.opponent), file)


def _agree(player: TrfPlayer, entry: Entry, round: int, other: TrfPlayer | None, file: str) -> None:
    """Raise `TrfError` if the records of both players about their game differ."""
    theirs = None if other is None else other.entry(round)
    if theirs is None or theirs.opponent != player.id:
        raise _disagreement(entry, 0, round, file, _of_another(player, entry, other, theirs))
    if entry.side is not None and entry.side == theirs.side:
        raise _disagreement(
            entry,
            5,
            round,
            file,
            say(
                "{player} and {opponent} both have {side}",
                player=player.id,
                opponent=entry.opponent,
                side=term(entry.side),
            ),
        )
    wrong = _wrong_pair(entry.letter, theirs.letter, player.id, entry.opponent)
    if wrong:
        raise _disagreement(entry, 7, round, file, wrong)


def _of_another(player: TrfPlayer, entry: Entry, other: TrfPlayer | None, theirs: Entry | None) -> Message:
    """Return that the opponent does not have the player as opponent, but another one or nobody."""
    if other is None:
        return say("opponent {opponent} is not a player of the file; correct the number", opponent=entry.opponent)
    return say(
        "{player} has {other} as opponent, but {other} (line {line}) has {against}",
        player=player.id,
        other=other.id,
        line=other.line,
        against=say("nobody") if theirs is None or not theirs.opponent else theirs.opponent,
    )


def _disagreement(entry: Entry, offset: int, round: int, file: str, detail: Message) -> TrfError:
    return TrfError(file, entry.line, entry.column + offset, say("round {round}: {detail}", round=round, detail=detail))


def _wrong_pair(letter: str, theirs: str, player: int, other: int) -> Message | None:
    """Return why these two letters cannot belong to one game, or None if they can."""
    facts: dict[str, MessageFact] = {"player": player, "other": other}
    if letter == "" or theirs == "":
        return None if letter == theirs else say("only one of {player} and {other} has a result", **facts)
    mine, yours = GAME_LETTERS[letter], GAME_LETTERS[theirs]
    if mine.played != yours.played:
        return say("the game of {player} and {other} was played for one and forfeited for the other", **facts)
    if mine.share == "win" and yours.share != "loss":
        return say("{player} won against {other}, who has {letter}", letter=repr(theirs), **facts)
    return None
