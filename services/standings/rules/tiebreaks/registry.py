"""The closed set of tie-breaks: FIDE's names (C.07) and those of Chinese regulations, each with its calculation."""

from collections.abc import Callable, Collection, Iterable, Sequence

from services.standings.rules.table.records import Field
from services.standings.rules.tiebreaks import conduct
from services.standings.rules.tiebreaks import direct_encounter as encounter
from services.standings.rules.tiebreaks import own_record as record
from services.standings.rules.tiebreaks.buchholz import Calculation, Edition, buchholz, sonneborn_berger
from services.standings.rules.tiebreaks.rating import Rated, average, perfect_performance, performance
from services.standings.rules.tiebreaks.value import Value
from shared.core.terms import PlayerId

Grouped = Callable[[Field, Sequence[PlayerId]], dict[PlayerId, Value]]

FORE = "FB"
"""Fore Buchholz (C.07 8.3): Buchholz over a field that has the last round's games drawn."""

OWN: dict[str, Calculation] = {
    "PTS": record.score,
    "BH": buchholz(),
    "BH/C1": buchholz(1),
    "BH/C2": buchholz(2),
    "BH/M1": buchholz(1, 1),
    "BH/M2": buchholz(2, 2),
    FORE: buchholz(),
    "SB": sonneborn_berger(),
    "SB/C1": sonneborn_berger(1),
    "PS": record.progressive(),
    "PS/C1": record.progressive(1),
    "WIN": record.counted(record.won),
    "WON": record.counted(record.won_on_the_board),
    "BPG": record.counted(record.played_black),
    "BWG": record.counted(record.won_with_black),
    "REP": record.counted(record.elected_to_play),
    "KS": record.koya,
    "FOULS": conduct.fouls,
    "WARNED": conduct.warnings,
    "BARRED": conduct.disqualifications,
}
"""From the player's and the opponents' results, and from rulings."""

BY_RATING: dict[str, Rated] = {
    "ARO": average(),
    "ARO/C1": average(1),
    "TPR": performance,
    "PTP": perfect_performance,
}

GROUPED: dict[str, Grouped] = {
    "DE": encounter.direct_encounter,
    "DE/A": encounter.met_all,
    "PO": encounter.play_off,
}
"""Those that depend on who is tied."""

LEANING = ("BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", FORE, "SB", "SB/C1", "KS")
"""Those that change with an opponent's record, and not with the own one alone."""

PUNISHED = ("BARRED", "WARNED")
"""What puts a player last among equals in points (002-X 18.4), the graver first."""

NAMES: tuple[str, ...] = ("PTS", "DE", *(n for n in OWN if n != "PTS"), *BY_RATING, "DE/A", "PO")
"""Every name, the order in which columns are shown."""

TITLES: dict[str, str] = {
    "PTS": "Points", "DE": "Direct encounter", "BH": "Buchholz", "BH/C1": "Buchholz, lowest cut",
    "BH/C2": "Buchholz, two lowest cut", "BH/M1": "Median Buchholz", "BH/M2": "Median Buchholz 2",
    "FB": "Fore Buchholz", "SB": "Sonneborn-Berger", "SB/C1": "Sonneborn-Berger, lowest cut", "PS": "Progressive score",
    "PS/C1": "Progressive score, first cut", "WIN": "Wins", "WON": "Wins over the board", "BPG": "Games with Black",
    "BWG": "Wins with Black", "REP": "Rounds elected to play", "KS": "Koya", "ARO": "Average rating of opponents",
    "ARO/C1": "Average rating, lowest cut", "TPR": "Performance rating", "PTP": "Perfect performance",
    "FOULS": "Fouls 犯规", "WARNED": "Warnings 警告", "BARRED": "Disqualifications 取消资格",
    "DE/A": "Direct encounter 直胜, all met", "PO": "Play-off 加赛",
}  # fmt: skip


def unknown(names: Iterable[str], known: Collection[str] = NAMES) -> list[str]:
    """Those that are none of the tie-breaks ``known``, or stand there a second time."""
    seen: set[str] = set()
    wrong = []
    for name in names:
        if name not in known or name in seen:
            wrong.append(name)
        seen.add(name)
    return wrong


def reckoning(field: Field, name: str, edition: Edition, unrated: int | None) -> Callable[[PlayerId], Value]:
    """What gives each player the value of a tie-break; ``name`` is none of `GROUPED`."""
    if name in BY_RATING:
        rated = BY_RATING[name]
        return lambda player: rated(field, player, unrated)
    own, on = OWN[name], field.fore if name == FORE else field
    return lambda player: own(on, player, edition)
