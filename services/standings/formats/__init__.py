"""Files that other programs read and write: FIDE's TRF, and tables as CSV.

trf = read(data, "open.trf")          # TrfError: file, line, column
t = tournament_of(trf)                # a Tournament, as folded from a log
write(trf)                            # bytes again, unknown records included
trf_of(t, names)                      # the way back: a tournament as a file
"""

from services.standings.formats.trf.export import trf_of
from services.standings.formats.trf.model import Entry, Record, Settings, TrfError, TrfFile, TrfPlayer
from services.standings.formats.trf.reader import read
from services.standings.formats.trf.to_events import names, tournament_of
from services.standings.formats.trf.writer import write

__all__ = [
    "Entry",
    "Record",
    "Settings",
    "TrfError",
    "TrfFile",
    "TrfPlayer",
    "names",
    "read",
    "tournament_of",
    "trf_of",
    "write",
]
