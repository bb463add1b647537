"""The game and the ruleset of a report file: as requested, else as an export of ours states, else by the file's date."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from deploy.failure import Failure
from shared.core.language.messages import Message, message_of, say
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import HalfPoints
from shared.regulations import load, names
from shared.regulations.changes import BadChange, changed
from shared.trf.event_records import POINTS_OF, EventRecords, event_records, short_digest
from shared.trf.model.model import TrfFile
from shared.trf.rounds import regulations_of

CHESS = "chess"


@dataclass(frozen=True, slots=True)
class Requested:
    """The options of an import or a check. ``text``: the TOML of ``ruleset``, if it is a federation's own."""

    ruleset: Regulations | None = None
    game: str | None = None
    text: str | None = None


AS_STATED = Requested()
"""Nothing is requested: game and ruleset are those that the file states."""


@dataclass(frozen=True, slots=True)
class FileEvent:
    """The ``game`` of a file and its ``ruleset``, which is ``regulations`` with the changed values of the file.

    ``changes``: those that the request to create a tournament takes. ``records``: the statements of the file itself.
    ``results_only``: games have no moves. ``text``: of a federation's own ruleset.
    """

    game: str
    ruleset: Regulations
    regulations: Regulations
    changes: Mapping[str, Any] = field(default_factory=dict)
    records: EventRecords = field(default_factory=EventRecords)
    results_only: bool = False
    text: str | None = None

    @property
    def remarks(self) -> Iterator[Message]:
        """Yield a remark if the stated ruleset is unknown, or differs from the one of that name that is used."""
        said, used = self.records, short_digest(self.ruleset.digest)
        if said.ruleset and said.ruleset not in (self.ruleset.name, *names()):
            unknown = say(
                "the stated ruleset {name} is unknown; {used} is used", name=said.ruleset, used=self.ruleset.name
            )
            yield unknown
        if said.ruleset == self.ruleset.name and said.digest not in ("", used):
            yield say("the ruleset {name} has changed since the file was exported", name=said.ruleset)


def file_event(trf: TrfFile, requested: Requested) -> FileEvent:
    """Return the event of a file. Raises `Failure` if the ruleset does not have the game, and `TrfError` for a bad record."""
    records = event_records(trf)
    ruleset, changes = requested.ruleset, dict[str, Any]()
    if ruleset is None:
        stated = records.ruleset in names()
        ruleset, changes = (load(records.ruleset), dict(records.changes)) if stated else (load(regulations_of(trf)), {})
    elif ruleset.name == records.ruleset:
        changes = dict(records.changes)
    points = {path: HalfPoints(changes.pop(path)) for path in [*changes] if path.startswith(POINTS_OF)}
    try:
        regulations = changed(ruleset, changes)
    except BadChange as problem:
        raise Failure(say("{file}: {problem}", file=trf.file, problem=message_of(problem))) from None
    if points:
        worth = {path.removeprefix(POINTS_OF): value for path, value in points.items()}
        regulations = replace(
            regulations, points=replace(ruleset.points, **worth), changes=regulations.changes | points
        )
    game, only = _game(trf, requested.game, records, ruleset)
    return FileEvent(game, ruleset, regulations, changes, records, only, requested.text)


def _game(trf: TrfFile, requested: str | None, records: EventRecords, ruleset: Regulations) -> tuple[str, bool]:
    """Return the game, and whether its games have results only."""
    there = tuple(sorted(ruleset.game.rules))
    only = there[0] if len(there) == 1 else CHESS
    game = requested or records.game or only
    results_only = records.results_only and game == records.game
    if game not in there and not results_only:
        raise Failure(
            say(
                "{file}: the ruleset {name} does not have the game {game}; its games: {games}. Choose a ruleset with "
                "--regulations, or a game with --game",
                file=trf.file,
                name=ruleset.name,
                game=repr(game),
                games=there,
            )
        )
    return game, results_only
