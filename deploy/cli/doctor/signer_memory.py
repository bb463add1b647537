"""The memory of the signer of checkpoints, compared with the log: a log must continue its signed checkpoints."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from deploy.cli.doctor.finding import Finding
from deploy.cli.doctor.log_check import undamaged_lines
from deploy.cli.terminal.verb import counted
from deploy.server.keys.house_signer import departure, forgotten, house_name, memory_of, restarted
from deploy.server.keys.witness_client import configured
from deploy.server.settings import BadSetting
from shared.audit.checkpoints.note import SignedHead
from shared.audit.checkpoints.publications import checkpoint_restarts, published_checkpoints
from shared.audit.checkpoints.signer_memory import MemoryLost
from shared.core.language.messages import Message, message_of, say
from shared.core.trust.merkle import Tree
from shared.desk.signer_port import History
from shared.log.port import Log
from shared.wire.canonical import OFFICES, offices_of

_PREFIX = "tournaments/"
_NAME = say("memory of the signer")


def look_at_memory(folder: Path, log: Log) -> Iterator[Finding]:
    """Yield each tournament whose log is shorter than a signed one, or differs from it, or is unknown to the memory.

    A memory that is not there, or cannot be read, is reported with the folder.
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
                "this database contains none of the {count} tournaments that the signer signed before: "
                "another log was started",
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
    """Return the finding of a log that does not continue its signed checkpoints."""
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
    return [row.line for row in undamaged_lines(log, _PREFIX + t)]


def _tournament(origin: str) -> str:
    return origin.rpartition("/")[2]


def look_at_checkpoints(folder: Path, *, compared: bool) -> Iterator[Finding]:
    """Yield the state of checkpoints, without creating anything.

    ``compared``: another check compares the memory with the log, so earlier refusals are not repeated.
    """
    try:
        yield Finding(say("name of the installation"), say("{name}", name=house_name(folder)))
        witnesses = {one.name for one in configured(folder)}
    except BadSetting as problem:
        yield Finding(say("checkpoints"), message_of(problem), say("correct the file or the variable in the message"))
        return
    memory = memory_of(folder, readonly=True)
    if not memory.path.exists() or not memory.path.stat().st_size:
        if (folder / "arbiter.db").exists():
            yield Finding(
                _NAME,
                say("{path} does not exist yet; the next checkpoint creates it", path=str(memory.path)),
            )
        return
    yield from _mode(folder, memory.path)
    try:
        refused, asked = memory.refusals(), memory.witnesses()
        memory.heads()
    except MemoryLost as problem:
        yield Finding(_NAME, message_of(problem), _mends(memory.path, problem))
        return
    for origin, why in () if compared else refused.items():
        yield departed(_tournament(origin), why)
    for name in sorted(witnesses):
        state, trouble = (
            say("the witness has not been asked for a cosignature yet") if name not in asked else say("it cosigns"),
            asked.get(name),
        )
        remedy = say("check that {name} is running and knows the key and the logs of this installation", name=name)
        yield Finding(say("witness {name}", name=name), trouble or state, remedy if trouble else None)


def _mode(folder: Path, path: Path) -> Iterator[Finding]:
    """In the data folder itself the modes of all databases are looked at."""
    if path.parent != folder and path.stat().st_mode & 0o077:
        yield Finding(
            _NAME,
            say("other users can read {path}", path=str(path)),
            say("{command}", command=f"chmod 600 {path}"),
        )


def _mends(path: Path, problem: MemoryLost) -> Message:
    if not problem.damaged:
        return say("check that you may read {path} and its folder, and that no process keeps it locked", path=str(path))
    return say(
        "remove {path}, then run `{command}` for each published log",
        path=str(path),
        command="arbiter checkpoint T --remember NOTE",
    )
