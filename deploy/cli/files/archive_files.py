"""Archives of events: read within limits, never unpacked to disk, and compared with the results of their log."""

import json
import stat
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO

import msgspec

from deploy.failure import Failure
from services.standings.files.archive import contents as c
from shared.audit.report import Report
from shared.core.event_types.evolve import fold
from shared.core.language.messages import Message, say
from shared.desk.desk import SOFTWARE
from shared.desk.replay import events_of
from shared.wire.envelope import Line, Unreadable

MAGIC = b"PK\x03\x04"
MOST_BYTES, MOST_FILES = 1 << 30, 64
"""Maximum size of the unpacked archive in bytes, and maximum number of its entries."""
MISSING_AT_MOST = 100
"""Maximum number of reported lines of ``missing.txt``."""


def is_archive(content: bytes) -> bool:
    """Whether this is a zip."""
    return content.startswith(MAGIC)


def read_archive(content: bytes, file: str) -> dict[str, bytes]:
    """The files of an archive by name, those of other names among them without their content. A zip that cannot be taken ends
    the command, and is not unpacked."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            entries = _taken(archive, file)
            return {one.filename: _content(archive, one) if one.filename in c.FILES else b"" for one in entries}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as problem:
        raise Failure(
            say("{file}: not a readable ZIP file: {problem}", file=file, problem=" ".join(str(problem).split()))
        ) from None


def _taken(archive: zipfile.ZipFile, file: str) -> list[zipfile.ZipInfo]:
    """The entries, each of which may be read."""
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise Failure(
            say(
                "{file}: the archive has {count} files; the limit is {most}",
                file=file,
                count=len(entries),
                most=MOST_FILES,
            )
        )
    if sum(one.file_size for one in entries) > MOST_BYTES:
        raise Failure(
            say("{file}: the unpacked archive is larger than {number} MiB", file=file, number=MOST_BYTES >> 20)
        )
    names: set[str] = set()
    for one in entries:
        why = _why_not(one, names)
        if why is not None:
            raise Failure(say("{file}: {filename} {why}", file=file, filename=repr(one.filename[:80]), why=why))
        names.add(one.filename.casefold())
    if c.LOG not in names:
        raise Failure(say("{file}: not an archive of a tournament: {log} is missing", file=file, log=c.LOG))
    return entries


def _why_not(one: zipfile.ZipInfo, names: set[str]) -> Message | None:
    """Why an entry is not taken; None for one that is."""
    name, mode = one.filename, one.external_attr >> 16
    if name.casefold() in names:
        return say("is in the archive twice")
    if "/" in name or "\\" in name or name in (".", "..", "") or not name.isprintable():
        return say("is not a valid name for a file in an archive")
    if one.flag_bits & 1:
        return say("is encrypted")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return say("is not a regular file")
    return None


def _content(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """The content of an entry, never more than the head of the archive says."""
    with archive.open(one) as content:
        whole = content.read(one.file_size + 1)
    if len(whole) != one.file_size:
        raise ValueError(f"{one.filename} is not as long as it says")
    return whole


def compare(report: Report, files: Mapping[str, bytes], lines: Sequence[bytes], *, own_keys: bool) -> None:
    """Hold an archive's other files against its log; ``own_keys``: no key was given but those in it."""
    for name in sorted(files.keys() - set(c.FILES)):
        report.lack(say("{name}: unknown file in an archive; it was not checked", name=name))
    for line in files.get(c.MISSING, b"").decode("utf-8", "replace").splitlines()[:MISSING_AT_MOST]:
        report.lack(say("the archive states that this is missing: {line}", line=line[:200]))
    for name in (c.ABOUT, c.CHECKPOINT, c.HOUSE_KEYS):
        if name not in files and name.encode() not in files.get(c.MISSING, b""):
            report.lack(say("{name}: missing from the archive", name=name))
    if own_keys and c.HOUSE_KEYS in files:
        report.remark(
            say(
                "the key comes from the archive itself ({file}): compare it with the key that the operator has published (--key)",
                file=c.HOUSE_KEYS,
            )
        )
    if c.TEXTS not in files and c.NAMES in files:
        report.remark(
            say("names are taken from the archive ({names}): without the texts, no hash proves them", names=c.NAMES)
        )
    made_here = _about(report, files.get(c.ABOUT))
    if c.TEXTS not in files and c.NAMES not in files:
        report.lack(
            say(
                "the archive lacks both {texts} and {names}: its tables were not compared",
                texts=c.TEXTS,
                names=c.NAMES,
            )
        )
        return
    try:
        events = list(events_of(lines))
    except Unreadable:
        return
    _derived(report, files, events, made_here=made_here)


def _about(report: Report, content: bytes | None) -> bool:
    """Compare ``archive.json``; whether this version of the software made the archive."""
    if content is None:
        return False
    try:
        about = json.loads(content)
        said = [about[name] for name in ("archive", "tournament", "seq", "root", "software")]
    except (ValueError, KeyError, TypeError):
        report.add(1, max(report.size, 1), "file", say("{about}: invalid description of an archive", about=c.ABOUT))
        return False
    held = [c.EDITION, report.tournament, report.size, report.root.hex()]
    if said[:4] != held:
        report.add(
            1,
            max(report.size, 1),
            "file",
            say("{about}: it describes a different log from {log}", about=c.ABOUT, log=c.LOG),
        )
    return bool(said[4] == SOFTWARE)


def _derived(report: Report, files: Mapping[str, bytes], events: Sequence[Line], *, made_here: bool) -> None:
    """Make the tables again, and compare."""
    last = max(report.size, 1)
    try:
        t = fold(report.tournament, events)
        made = c.derived(t, c.names_among(files)) | {c.SERVICE_KEYS: c.service_keys(t)}
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, UnicodeDecodeError):
        report.add(
            1,
            last,
            "file",
            say("{name}: invalid format for a file in an archive", name=c.TEXTS if c.TEXTS in files else c.NAMES),
        )
        return
    except Exception as problem:  # no table can be computed from the state of some forged logs
        report.lack(say("the tables cannot be computed from the log ({problem})", problem=str(problem)[:200]))
        return
    for name in (*c.DERIVED, c.SERVICE_KEYS):
        given = files.get(name)
        if given == (made.get(name) or None):
            continue
        if given is None:
            report.lack(say("{name}: missing from the archive", name=name))
        elif made_here or name not in made:
            report.add(1, last, "file", say("{name}: differs from the content computed from the log", name=name))
        else:
            report.lack(say("{name}: made by another version of the software, so it was not compared", name=name))
