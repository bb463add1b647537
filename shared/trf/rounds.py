"""The rounds of a file as its hall played them: who met, who had a bye, and the results in points."""

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Literal

from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.terms import ByeKind, HalfPoints, Mark, Side
from shared.trf.model.model import BYE_LETTERS, GAME_LETTERS, Entry, TrfFile, TrfPlayer
from shared.trf.model.personal import day
from shared.trf.model.points import worth_of

SIDES: tuple[Side, ...] = ("white", "black")


def format_of(trf: TrfFile) -> Format:
    """Return the format that the file names (192, 092), or a Swiss if it names none that is known here."""
    system = trf.settings.system
    return "swiss" if system is None or system.format is None else system.format


def first_round(trf: TrfFile, player: TrfPlayer) -> int:
    """The first round that a player can be paired in: blanks before the first entry are those of one who came late.

    A table has no room for late ones, and a team's members are there from the start.
    """
    if format_of(trf) != "swiss" or trf.settings.teams:
        return 1
    last = min(trf.next_round, trf.rounds_recorded + 1)
    bye_rounds = [round for id, round, _ in trf.settings.byes if id == player.id]
    return min([*bye_rounds, next((n for n, entry in enumerate(player.rounds, 1) if entry is not None), last), last])


def byes(trf: TrfFile) -> list[tuple[int, int, ByeKind]]:
    """(player, round, kind) of every bye that was asked for, by round; kinds F, H and Z.

    A blank in a round that was paired is a Z, as FIDE has it, but for those before a late entry.
    """
    kinds: dict[tuple[int, int], ByeKind] = {
        (p.id, n): BYE_LETTERS[e.letter]
        for p in trf.players
        for n, e in enumerate(p.rounds, 1)
        if e is not None and not e.opponent and e.letter != "U"
    }
    for player, round, letter in trf.settings.byes:
        kinds.setdefault((player, round), letter)
    for p in trf.players:
        for n in range(first_round(trf, p), trf.rounds_recorded + 1):
            if p.entry(n) is None and trf.paired(n):
                kinds.setdefault((p.id, n), "Z")
    for player in sorted(trf.settings.absent):
        kinds.setdefault((player, trf.next_round), "Z")
    return [(p, n, k) for (p, n), k in sorted(kinds.items(), key=lambda item: item[0][::-1])]


def boards(trf: TrfFile, round: int) -> list[tuple[TrfPlayer, TrfPlayer]]:
    """(White, Black) of a round's games, by the lower starting number.

    A forfeited game may have no colours; then the lower number is White.
    """
    players, column = trf.numbered, trf.column(round)
    pairs = []
    for id, entry in column.items():
        if entry.opponent > id:
            player, other = players[id], players[entry.opponent]
            black_first = entry.side == "black" or column[other.id].side == "white"
            pairs.append((other, player) if black_first else (player, other))
    return pairs


def allocated_byes(trf: TrfFile, round: int) -> list[int]:
    """Players with the pairing-allocated bye of that round."""
    return [id for id, e in trf.column(round).items() if e.bye == "U"]


def marks(trf: TrfFile, white: TrfPlayer, black: TrfPlayer, round: int, points: Points) -> tuple[Mark, Mark] | None:
    """Both marks of a game; None while it has no result."""
    return both_marks(trf.column(round), white, black, worth_of_letters(points, trf.settings.points))


def with_points(rules: Regulations, values: dict[str, int]) -> Regulations:
    """Regulations with the file's point values in place of their own."""
    if not values:
        return rules
    own = rules.points

    def worth(code: str, otherwise: int) -> HalfPoints:
        return HalfPoints(values.get(code, otherwise))

    points = Points(
        win=worth("WW", own.win),
        draw=worth("WD", own.draw),
        loss=worth("WL", own.loss),
        pairing_bye=worth("PAB", own.pairing_bye),
        full_bye=worth("FPB", own.full_bye),
        half_bye=worth("HPB", own.half_bye),
        zero_bye=worth("ZPB", own.zero_bye),
    )
    if points == own:
        return rules
    changes = {f"points.{name}": value for name, value in asdict(points).items() if value != getattr(own, name)}
    return replace(rules, points=points, changes=changes)


Worth = Mapping[tuple[str, Side], Mark]
"""Return the points of a letter for a side."""


def both_marks(
    column: Mapping[int, Entry], white: TrfPlayer, black: TrfPlayer, worth: Worth
) -> tuple[Mark, Mark] | None:
    """Return both marks of a game by the letters of a round's column, or None while it has no result."""
    mine, theirs = column[white.id].letter, column[black.id].letter
    return (worth[mine, "white"], worth[theirs, "black"]) if mine else None


@cache
def worth_of_letters(points: Points, values: tuple[tuple[str, int], ...]) -> Worth:
    """Return what each letter is worth to each side by ``points``, changed by the file's own values."""
    return {(letter, side): _mark(letter, side, points, values) for letter in GAME_LETTERS for side in SIDES}


def _mark(result: str, side: Side, points: Points, values: tuple[tuple[str, int], ...]) -> Mark:
    return Mark(HalfPoints(worth_of(result, side, points, values)), GAME_LETTERS[result].played)


def first_colour(trf: TrfFile) -> Side:
    """The initial colour as round 1 shows it: that of the lowest odd number who played it; else White."""
    numbers, column = trf.pairing_numbers, trf.column(1)
    entries = (column[id] for id in sorted(column, key=numbers.__getitem__) if numbers[id] % 2)
    return next((e.side for e in entries if e.opponent and e.side is not None), "white")


DutchEdition = Literal["2017", "2026"]
SETS: dict[DutchEdition, str] = {"2017": "fide-2024", "2026": "fide-2026"}
"""The shipped regulations that pair by each."""
IN_FORCE = "2026-02-01"
"""From then on the rules of C.04.3 that FIDE's Council approved for 2026; before it those of 2017."""


def dutch_edition(trf: TrfFile) -> DutchEdition:
    """Return the edition of the Dutch rules: by record 192, else by the first day (042) or the last (052), else today's."""
    code = "" if trf.settings.system is None else trf.settings.system.code
    if code.startswith(("FIDE_DUTCH_2017", "FIDE_DUTCH_2026")):
        return "2017" if code.startswith("FIDE_DUTCH_2017") else "2026"
    begins = _day(trf.settings.begins) or _day(trf.settings.ends)
    return "2017" if begins and begins < IN_FORCE else "2026"


def regulations_of(trf: TrfFile) -> str:
    """Return the name of the regulations of the file's date."""
    return SETS[dutch_edition(trf)]


def _day(text: str) -> str:
    """In ISO 8601; of a day in another order, or with words, its year alone, which is told apart but in 2026."""
    year = re.search(r"(?<![0-9])(19|20)[0-9]{2}(?![0-9])", text)
    return day(text) or (f"{year[0]}-12-31" if year else "")
