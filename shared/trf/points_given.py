"""The points and ranks of an export with the records 299 that are kept, which give more than the log knows."""

from dataclasses import replace

from msgspec import structs

from shared.core.rulebook.regulations import Points
from shared.trf.comparison import points_made
from shared.trf.model.model import TrfFile
from shared.trf.model.points import points_text
from shared.trf.reader import read
from shared.trf.writer import write


def with_points_given(file: TrfFile, points: Points) -> TrfFile:
    """The file with the points that its results and records give, and ranks by them, of equal points as they stood.

    Raises `TrfError` where a record cannot be read.
    """
    counted = read(write(file), file.file)
    made = points_made(counted, points, counted.rounds_recorded)
    said = {p.id: points_text(made[p.id]) for p in file.players}
    if all(p.points == said[p.id] for p in file.players):
        return file
    places = {p.id: (-made[p.id], int(p.rank or 0)) for p in file.players}
    ordered = sorted(places.values())
    players = (structs.replace(p, points=said[p.id], rank=str(ordered.index(places[p.id]) + 1)) for p in file.players)
    return replace(file, players=tuple(players))
