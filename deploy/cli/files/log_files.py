"""Logs and texts as files: reading them, and folding a log up to any line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from deploy.cli.files.files import read_bytes
from deploy.cli.files.whole_lines import WholeLines
from deploy.failure import Failure
from shared.core.event_types.evolve import fold
from shared.core.event_types.registry import NAMES
from shared.core.events import Event, PairingWithdrawn, RegulationsAdopted, RulingAnnulled
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament, TournamentState
from shared.desk.replay import events_of
from shared.log.port import Text
from shared.log.texts import genuine
from shared.wire import envelope


@dataclass(frozen=True, slots=True)
class Replay:
    """A log that was read whole."""

    file: str
    tournament: str
    events: tuple[Event, ...]

    @property
    def size(self) -> int:
        return len(self.events)

    def at(self, seq: int) -> TournamentState:
        """The fold of the first ``seq`` lines."""
        if seq > self.size:
            raise Failure(
                say("{file}: the log ends at event {size}, before event {seq}", file=self.file, size=self.size, seq=seq)
            )
        return fold(self.tournament, self.events[:seq])

    def tournament_at(self, seq: int) -> Tournament:
        """Return the state after event ``seq``, or after the first regulations, because no table exists before them."""
        adopted = next((event.seq for event in self.events if isinstance(event.data, RegulationsAdopted)), 0)
        t = self.at(max(seq, adopted))
        if not isinstance(t, Tournament):
            raise Failure(
                say("{file}: the log does not contain a ruleset, so standings cannot be computed", file=self.file), 1
            )
        return t

    def undoing(self, after: int, upto: int) -> list[int]:
        """Lines after ``after`` up to ``upto`` that take others away: no row rests on them, yet rows change."""
        taking = (PairingWithdrawn, RulingAnnulled)
        return [e.seq for e in self.events[after:upto] if isinstance(e.data, taking)]

    def summary(self, lines: Iterable[int]) -> list[dict[str, Any]]:
        """``seq``, type and actor of some lines."""
        events = (self.events[seq - 1] for seq in lines)
        return [{"seq": e.seq, "type": NAMES[type(e.data)], "actor": e.actor, "role": e.role} for e in events]


def replay_of(file: str) -> Replay:
    """Read a log. An invalid line ends the command with exit code 2."""
    return replay_in("standard input" if file == "-" else file, read_bytes(file))


def replay_in(name: str, content: bytes) -> Replay:
    """Read the content of a log that is called ``name``. An invalid line ends the command with exit code 2."""
    try:
        lines = list(events_of(envelope.split(content)))
    except envelope.Unreadable as problem:
        raise Failure(
            say("{name}:{line}: {detail}", name=name, line=problem.line or 1, detail=problem.detail)
        ) from None
    if not lines:
        raise Failure(say("{name}: the file is empty", name=name))
    streams = {line.stream for line in lines}
    if len(streams) > 1 or not lines[0].stream.startswith("tournaments/"):
        raise Failure(
            say(
                "{name}: not the log of one tournament (it contains {names})",
                name=name,
                names=tuple(sorted(streams)[:3]),
            )
        )
    return Replay(name, lines[0].stream.partition("/")[2], tuple(lines))


class _ExportedText(msgspec.Struct):
    hash: str
    salt: str
    text: str
    tournament: str = ""


_read_text = msgspec.json.Decoder(_ExportedText).decode


def read_texts(file: str) -> list[Text]:
    """The texts of an export; each is checked against its own hash."""
    return texts_in(file, read_bytes(file))


def texts_in(file: str, content: bytes) -> list[Text]:
    """The texts of a content that is called ``file``; each is checked against its own hash."""
    texts = []
    whole = content if content.endswith(b"\n") or not content else content + b"\n"
    for number, line in enumerate(WholeLines(whole), 1):
        try:
            text = Text(*msgspec.structs.astuple(_read_text(line)))
        except (UnicodeDecodeError, msgspec.MsgspecError, RecursionError):
            raise Failure(
                say("{file}:{number}: not an exported text ({{hash, salt, text}})", file=file, number=number)
            ) from None
        if not genuine(text):
            raise Failure(say("{file}:{number}: the text does not match its hash", file=file, number=number), 1)
        texts.append(text)
    return texts


def names_from(file: str | None) -> Mapping[str, str] | None:
    """Text by hash; None without a file."""
    return None if file is None else {t.hash: t.text for t in read_texts(file)}
