"""Archives of events: read within limits, never unpacked to disk, and compared with the results of their log."""

import json
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from deploy.cli.files.audit_sentences import NOT_INCLUDED
from deploy.cli.files.zip_form import BadArchive, read_entries
from deploy.failure import Failure
from services.standings.files.archive import contents as c
from services.standings.files.archive.zip_file import expected_readme
from shared.audit.report import Report
from shared.core.event_types.evolve import fold
from shared.core.language.messages import message_of, say
from shared.desk.desk import SOFTWARE
from shared.desk.replay import events_of
from shared.wire.envelope import Line, Unreadable

MISSING_AT_MOST = 100
"""Maximum number of reported lines of ``missing.txt``."""


def read_archive(content: bytes, file: str) -> dict[str, bytes]:
    """Return the files of an archive by name, unknown ones without their content.

    Raises `Failure` for a ZIP file that does not have the form of an archive. Nothing is unpacked to disk.
    """
    try:
        files = {entry.name: entry.content() for entry in read_entries(content)}
    except BadArchive as problem:
        raise Failure(
            say(
                "{file}: not an archive as the server writes it: {problem}; download it again",
                file=file,
                problem=message_of(problem),
            )
        ) from None
    if c.LOG not in files:
        raise Failure(say("{file}: not an archive of a tournament: {log} is missing", file=file, log=c.LOG))
    return {name: content if name in c.FILES else b"" for name, content in files.items()}


def compare(report: Report, files: Mapping[str, bytes], lines: Sequence[bytes], *, own_keys: bool) -> None:
    """Compare an archive's other files with its log. ``own_keys``: True if only the keys in the archive are known."""
    for name in sorted(files.keys() - set(c.FILES)):
        report.lack(say("{name}: unknown file in an archive; it was not checked", name=name))
    missing = files.get(c.MISSING, b"").decode("utf-8", "replace").splitlines()
    public = c.NAMES in files and c.TEXTS not in files
    if public and c.WITHHELD in missing:
        missing.remove(c.WITHHELD)
        report.remark(NOT_INCLUDED)
    elif public:
        report.lack(say("{name}: missing from the archive", name=c.TEXTS))
    for line in missing[:MISSING_AT_MOST]:
        report.lack(say("the archive states that this is missing: {line}", line=line[:200]))
    for name in (c.README, c.ABOUT, c.CHECKPOINT, c.HOUSE_KEYS):
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
    software = _about(report, files.get(c.ABOUT))
    if software is not None and c.README in files:
        _readme(report, files, software)
    try:
        events = list(events_of(lines))
    except Unreadable:
        return
    _derived(report, files, events, made_here=software == SOFTWARE)


def _about(report: Report, content: bytes | None) -> str | None:
    """Compare ``archive.json``, and return the version of the software that made the archive, or None if it is invalid."""
    if content is None:
        return None
    try:
        about = json.loads(content)
        said = [about[name] for name in ("archive", "tournament", "seq", "root", "software")]
    except (ValueError, KeyError, TypeError, RecursionError):
        report.add(1, max(report.size, 1), "file", say("{about}: invalid description of an archive", about=c.ABOUT))
        return None
    held = [c.EDITION, report.tournament, report.size, report.root.hex()]
    if said[:4] != held:
        report.add(
            1,
            max(report.size, 1),
            "file",
            say("{about}: it describes a different log from {log}", about=c.ABOUT, log=c.LOG),
        )
    return str(said[4])


def _readme(report: Report, files: Mapping[str, bytes], software: str) -> None:
    """Compare ``README.txt``, which explains how to verify the archive, with the text that its version of the software writes."""
    content = files[c.README]
    names = [name for name in c.FILES if name in files or f"\n  {name} ".encode() in content]
    expected = expected_readme(c.About(report.tournament, report.size, report.root.hex(), software), names)
    if expected is None:
        report.lack(say("{name}: made by another version of the software, so it was not compared", name=c.README))
    elif content != expected.encode():
        why = say("{name}: differs from the text that the software writes; do not follow it", name=c.README)
        report.add(1, max(report.size, 1), "file", why)


def _derived(report: Report, files: Mapping[str, bytes], events: Sequence[Line], *, made_here: bool) -> None:
    """Compute the list of the services' keys and the tables from the log, and compare them."""
    last = max(report.size, 1)
    try:
        t = fold(report.tournament, events)
        _compare(report, files, {c.SERVICE_KEYS: c.service_keys(t)}, (c.SERVICE_KEYS,), made_here=True)
        if c.TEXTS not in files and c.NAMES not in files:
            report.lack(
                say(
                    "the archive lacks both {texts} and {names}: its tables were not compared",
                    texts=c.TEXTS,
                    names=c.NAMES,
                )
            )
            return
        _compare(report, files, c.derived(t, c.names_among(files)), c.DERIVED, made_here=made_here)
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, UnicodeDecodeError):
        report.add(
            1,
            last,
            "file",
            say("{name}: invalid format for a file in an archive", name=c.TEXTS if c.TEXTS in files else c.NAMES),
        )
    except Exception as problem:  # no table can be computed from the state of some forged logs
        report.lack(say("the tables cannot be computed from the log ({problem})", problem=str(problem)[:200]))


def _compare(
    report: Report, files: Mapping[str, bytes], made: Mapping[str, bytes], names: Iterable[str], *, made_here: bool
) -> None:
    """Compare files of these names with the content ``made`` from the log.

    ``made_here``: True if this version of the software also made the archive.
    """
    last = max(report.size, 1)
    for name in names:
        given = files.get(name)
        if given == (made.get(name) or None):
            continue
        if given is None:
            report.lack(say("{name}: missing from the archive", name=name))
        elif made_here or name not in made:
            report.add(1, last, "file", say("{name}: differs from the content computed from the log", name=name))
        else:
            report.lack(say("{name}: made by another version of the software, so it was not compared", name=name))
