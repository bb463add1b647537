"""What the signer of checkpoints remembers, beside the log at hand: a log is to continue what was signed of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.verb import counted
from deploy.server.keys.house_signer import departure, forgotten, memory_of, restarted
from shared.audit.checkpoints.note import SignedHead
from shared.audit.checkpoints.publications import checkpoint_restarts, published_checkpoints
from shared.audit.checkpoints.signer_memory import MemoryLost
from shared.core.language.messages import Message, say
from shared.core.trust.merkle import Tree
from shared.desk.signer_port import History
from shared.log.port import Log
from shared.wire.canonical import OFFICES, offices_of

_PREFIX = "tournaments/"
_NAME = say("memory of the signer")


def look_at_memory(folder: Path, log: Log) -> Iterator[Finding]:
    """Each tournament whose log is shorter than what was signed of it, or another, or of which the memory knows nothing.

    A memory that is not there, or cannot be read, is told of the folder.
    """
    memory = memory_of(folder, readonly=True)
    if not memory.path.exists() or not memory.path.stat().st_size:
        return
    try:
        heads = memory.heads()  # before the log, which may grow meanwhile
    except MemoryLost:
        return
    streams = {stream.removeprefix(_PREFIX) for stream in log.streams(_PREFIX)}
    remembered = {_tournament(origin) for origin in heads}
    if remembered and not remembered & streams:
        other = counted(
            len(remembered),
            say("the tournament that it remembers is not in this database: another log was started"),
            say(
                "this database has none of the {count} tournaments that it remembers: another log was started",
                count=len(remembered),
            ),
        )
        yield Finding(_NAME, say("{path}: {other}", path=str(memory.path), other=other))
        return
    departures = [
        (_tournament(origin), _departure(head, _lines(log, _tournament(origin)))) for origin, head in heads.items()
    ]
    departures += [(t, _forgotten(_lines(log, t))) for t in sorted(streams - remembered)]
    yield Finding(
        _NAME,
        counted(
            len(remembered),
            say("{path}: 1 tournament was signed", path=str(memory.path)),
            say("{path}: {count} tournaments were signed", path=str(memory.path), count=len(remembered)),
        ),
    )
    yield from (departed(t, why) for t, why in departures if why is not None)


def departed(t: str, why: Message) -> Finding:
    """A log that does not continue what was signed of it."""
    mend = say(
        "restore the whole log. If the signer's memory was lost, run `{remember}`, otherwise `{restart}`",
        remember=f"arbiter checkpoint {t} --remember NOTE",
        restart=f"arbiter checkpoint {t} --restart --reason TEXT",
    )
    return Finding(say("checkpoints of {t}", t=t), why, mend)


def _departure(head: SignedHead, lines: Sequence[bytes]) -> Message | None:
    tree = Tree.of(lines)
    history = _history(tree, lines)
    why = departure(head, SignedHead(tree.size, tree.root(tree.size)), history)
    return None if why is None or restarted(head, history) else why


def _forgotten(lines: Sequence[bytes]) -> Message | None:
    history = _history(Tree.of(lines), lines)
    known = restarted(history.published_head(), history) or not lines or offices_of(lines[0]) < OFFICES
    return None if known else forgotten(history)


def _history(tree: Tree, lines: Sequence[bytes]) -> History:
    notes = list(published_checkpoints(lines))
    return History(tree.root, list(checkpoint_restarts(lines)), notes[-1].size if notes else 0)


def _lines(log: Log, t: str) -> list[bytes]:
    return [row.line for row in log.lines(_PREFIX + t)]


def _tournament(origin: str) -> str:
    return origin.rpartition("/")[2]
