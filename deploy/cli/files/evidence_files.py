"""What ``arbiter verify`` is given: a log with its evidence in files of their own, or all in one archive."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deploy.cli.files.archive_files import is_archive, read_archive
from deploy.cli.files.files import read_bytes
from deploy.failure import Failure
from services.standings.files.archive import contents as c
from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, KeyFile, parse, parse_key_file
from shared.core.language.messages import message_of, say
from shared.wire import envelope


class NamedBytes(NamedTuple):
    """The content of a file, and what it is called where something is wrong with it."""

    name: str
    content: bytes


class Evidence(NamedTuple):
    """The files beside a log, each read and none understood yet. ``archive``: all files of the archive that they came from
    (None: they came by themselves); ``own_keys``: the keys are that archive's."""

    log: NamedBytes
    sheets: NamedBytes | None
    texts: NamedBytes | None
    checkpoints: Sequence[NamedBytes]
    keys: Sequence[NamedBytes]
    archive: Mapping[str, bytes] | None
    own_keys: bool


def read_evidence(
    log: str, sheets: str | None, texts: str | None, checkpoints: Sequence[str], keys: Sequence[str]
) -> Evidence:
    """Read the files that were named. Of an archive its own keys count only where no other is given."""
    content = read_bytes(log)
    given = [_file(name) for name in checkpoints]
    known = [_file(name) for name in keys]
    if not is_archive(content):
        lines, said = (None if name is None else NamedBytes(name, read_bytes(name)) for name in (sheets, texts))
        return Evidence(NamedBytes(log, content), lines, said, given, known, None, own_keys=False)
    if sheets is not None or texts is not None:
        raise Failure(
            say(
                "{log} is an archive, which contains its score sheets and texts: leave out --sheets and --texts",
                log=log,
            )
        )
    files = read_archive(content, log)

    def one(name: str) -> NamedBytes | None:
        return NamedBytes(f"{log}, {name}", files[name]) if name in files else None

    own = [found for name in (c.CHECKPOINT, c.COSIGNED) if (found := one(name)) is not None]
    house = one(c.HOUSE_KEYS)
    taken = known or ([house] if house is not None else [])
    log_file = one(c.LOG)
    assert log_file is not None, "an archive without one is not read"
    return Evidence(log_file, one(c.SHEETS), one(c.TEXTS), [*own, *given], taken, files, own_keys=not known)


def whole_lines(content: bytes) -> tuple[list[bytes], bool]:
    """The whole lines, and whether a piece of one follows them."""
    lines = content.split(b"\n")
    rest = lines.pop()
    return lines, bool(rest)


def sheets_in(file: NamedBytes) -> dict[str, list[bytes]]:
    """Lines of score sheets by game, in their order."""
    sheets: dict[str, list[bytes]] = {}
    lines, cut = whole_lines(file.content)
    if cut:
        raise Failure(
            say(
                "{name}:{number}: the last line is cut off: its line end is missing",
                name=file.name,
                number=len(lines) + 1,
            ),
            1,
        )
    for number, line in enumerate(lines, 1):
        try:
            stream = envelope.read(line, number).stream
        except envelope.Unreadable as problem:
            raise Failure(
                say("{name}:{number}: {detail}", name=file.name, number=number, detail=problem.detail), 1
            ) from None
        kind, _, game = stream.partition("/")
        if kind != "games":
            raise Failure(
                say(
                    "{name}:{number}: an event of {stream} does not belong to a score sheet",
                    name=file.name,
                    number=number,
                    stream=stream,
                ),
                1,
            )
        sheets.setdefault(game, []).append(line)
    return sheets


def checkpoint_in(file: NamedBytes) -> Checkpoint:
    """The checkpoint of a file; one that is none ends the command."""
    try:
        return parse(file.content.decode("utf-8", "replace"))
    except BadCheckpoint as problem:
        raise Failure(say("{name}: {problem}", name=file.name, problem=message_of(problem))) from None


def key_in(file: NamedBytes) -> KeyFile:
    """The keys of a file; one that has none ends the command."""
    try:
        return parse_key_file(file.content.decode("utf-8", "replace"))
    except BadCheckpoint as problem:
        raise Failure(say("{name}: {problem}", name=file.name, problem=message_of(problem))) from None


def read_key(name: str) -> KeyFile:
    """The keys of the file of this name."""
    return key_in(_file(name))


def _file(name: str) -> NamedBytes:
    return NamedBytes(name, Path(name).read_bytes())
