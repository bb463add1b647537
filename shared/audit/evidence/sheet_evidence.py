"""Score sheets given to the audit, read into events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.audit.report import OnProgress, Report, on_sheet, silent, with_progress
from shared.core.event_types.registry import WRITERS
from shared.core.events import SheetLine
from shared.core.language.messages import say
from shared.wire import canonical
from shared.wire.envelope import Line, Unreadable, read


@dataclass
class SheetEvidence:
    """The score sheets of a tournament: their lines, events and commands, by game. ``given``: False if none were given."""

    given: bool = False
    lines: dict[str, list[bytes]] = field(default_factory=dict)
    events: dict[str, list[Line]] = field(default_factory=dict)
    commands: dict[str, tuple[str, list[Line]]] = field(default_factory=dict)
    """Causation ID -> (game, its events)."""

    @classmethod
    def read(
        cls, report: Report, sheets: Mapping[str, Sequence[bytes]] | None, on_progress: OnProgress = silent
    ) -> "SheetEvidence":
        """Read the sheets (game -> its lines). Faults are added to the report."""
        if sheets is None:
            return cls()
        evidence = cls(given=True)
        for game, lines in with_progress(on_progress, "sheets", tuple(sheets.items())):
            evidence.lines[game] = list(lines)
            evidence.events[game] = []
            for number, line in enumerate(lines, 1):
                try:
                    event = read(line, number)
                except Unreadable as problem:
                    report.add(number, number, "sheet", on_sheet(game, problem.detail))
                    break
                why = canonical.refusal(line, number, report.offices)
                if why is not None:
                    report.add(number, number, "sheet", on_sheet(game, why))
                if not isinstance(event.data, SheetLine) or event.source not in WRITERS[type(event.data)]:
                    report.add(
                        number,
                        number,
                        "sheet",
                        on_sheet(game, say("{source} does not write such a line here", source=event.source)),
                    )
                if event.sourceseq != number or event.game != game:
                    report.add(
                        number,
                        number,
                        "sheet",
                        on_sheet(
                            game,
                            say(
                                "{stream}, sourceseq {sourceseq} stands where {number} is next",
                                stream=event.stream,
                                sourceseq=event.sourceseq,
                                number=number,
                            ),
                        ),
                    )
                evidence.events[game].append(event)
                evidence.commands.setdefault(event.command, (game, []))[1].append(event)
        return evidence
