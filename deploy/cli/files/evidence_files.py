"""Files for ``arbiter verify``: a log, its evidence or an archive, receipts, and keys."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from deploy.cli.files.files import read_bytes
from deploy.cli.files.whole_lines import WholeLines
from deploy.cli.files.zip_form import is_archive
from deploy.cli.terminal.verb import print_json, show, words
from deploy.failure import Failure
from shared.audit.checkpoints.checkpoint import (
    FORMER_KEYS,
    BadCheckpoint,
    Checkpoint,
    KeyFile,
    Verifies,
    parse,
    parse_key_file,
)
from shared.audit.checkpoints.cosignature import Witness, parse_witness
from shared.audit.receipts.receipt_check import MAX_BYTES, Receipt, ReceiptReport, check, parse_receipt
from shared.core.language.messages import message_of, say, term
from shared.core.terms import service_of
from shared.core.trust.service_keys import BadServiceKey, ServiceKey, parse_key
from shared.wire import envelope

_OF_TOURNAMENT = b"tournaments/"


class NamedBytes(NamedTuple):
    """The content of a file, and its name in error messages."""

    name: str
    content: bytes


class Evidence(NamedTuple):
    """The contents of a log and its evidence, not parsed yet.

    ``archive``: all files of the archive that they came from, or None. ``own_keys``: the keys are from that archive.
    """

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
    """Read a log or an archive, and its evidence. The keys of an archive count only without other keys."""
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
    from deploy.cli.files.archive_files import read_archive
    from services.standings.files.archive import contents as c

    files = read_archive(content, log)

    def one(name: str) -> NamedBytes | None:
        return NamedBytes(f"{log}, {name}", files[name]) if name in files else None

    own = [found for name in (c.CHECKPOINT, c.COSIGNED) if (found := one(name)) is not None]
    house = one(c.HOUSE_KEYS)
    taken = known or ([house] if house is not None else [])
    log_file = one(c.LOG)
    assert log_file is not None, "an archive without one is not read"
    return Evidence(log_file, one(c.SHEETS), one(c.TEXTS), [*own, *given], taken, files, own_keys=not known)


def lines_in(file: NamedBytes) -> WholeLines:
    """Return the lines of a log. Raises `Failure` if none of them is an event of a tournament."""
    content = file.content
    if not content:
        raise Failure(say("{name}: the file is empty", name=file.name))
    at = content.find(_OF_TOURNAMENT)
    while at >= 0:
        end = content.find(b"\n", at)
        if end < 0:
            break
        if _is_event(content[content.rfind(b"\n", 0, at) + 1 : end]):
            return WholeLines(content)
        at = content.find(_OF_TOURNAMENT, end)
    raise Failure(say("{name}: not a log: no line is a CloudEvent of a tournament", name=file.name))


def _is_event(line: bytes) -> bool:
    """Return whether a line is a CloudEvent of a tournament, which this version may be unable to read."""
    try:
        event = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    subject = event.get("subject") if isinstance(event, dict) and event.get("specversion") == "1.0" else None
    return isinstance(subject, str) and subject.encode().startswith(_OF_TOURNAMENT)


def sheets_in(file: NamedBytes) -> dict[str, list[bytes]]:
    """Return the lines of score sheets by game, in their order. Raises `Failure` with code 1 for a line of another kind."""
    sheets: dict[str, list[bytes]] = {}
    lines = WholeLines(file.content)
    if lines.cut:
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


@contextmanager
def _of_file(name: str) -> Iterator[None]:
    """End the command at an invalid checkpoint, key or receipt, with the name of its file or option."""
    try:
        yield
    except (BadCheckpoint, BadServiceKey) as problem:
        raise Failure(say("{name}: {problem}", name=name, problem=message_of(problem))) from None


def checkpoint_in(file: NamedBytes) -> Checkpoint:
    """Return the checkpoint of a file. Raises `Failure` for an invalid one."""
    with _of_file(file.name):
        return parse(file.content.decode("utf-8", "replace"))


def key_in(file: NamedBytes) -> KeyFile:
    """Return the keys of a file. Raises `Failure` for a file without keys."""
    with _of_file(file.name):
        former = Path(file.name).with_suffix(FORMER_KEYS)
        limits = former.read_text("utf-8", "replace") if file.name.endswith(".vkey") and former.is_file() else ""
        return parse_key_file(file.content.decode("utf-8", "replace"), limits)


def read_key(name: str) -> KeyFile:
    """Return the keys of the file of this name."""
    return key_in(_file(name))


def _file(name: str) -> NamedBytes:
    return NamedBytes(name, Path(name).read_bytes())


class Witnesses(NamedTuple):
    """The witnesses whose cosignatures count, and how many of them must have cosigned (``quorum``)."""

    witnesses: tuple[Witness, ...]
    quorum: int


def read_receipt(file: str) -> Receipt:
    """Return the receipt of a file. Raises `Failure` for an invalid one."""
    content = Path(file).read_bytes()
    if len(content) > MAX_BYTES:
        raise Failure(say("{file}: a receipt has at most {most} bytes", file=file, most=MAX_BYTES))
    with _of_file(file):
        try:
            return parse_receipt(content.decode())
        except UnicodeDecodeError:
            raise Failure(say("{file}: not a receipt: the file is not UTF-8", file=file)) from None


def read_witnesses(options: Sequence[str], quorum: int | None) -> Witnesses:
    """Return witnesses by their keys, given directly or in files, one per line. The default ``quorum`` is all of them."""
    found: dict[bytes, Witness] = {}
    for option in options:
        for line in _lines(option):
            with _of_file(f"--witness {line[:60]}"):
                witness = parse_witness(line.split(" ")[0])
            found[witness.key] = witness
    if quorum is not None and not found:
        raise Failure(say("--quorum requires --witness"))
    if quorum is not None and quorum > len(found):
        raise Failure(
            say(
                "--quorum {quorum} is more than the number of witnesses given with --witness ({count})",
                quorum=quorum,
                count=len(found),
            )
        )
    return Witnesses(tuple(found.values()), len(found) if quorum is None else quorum)


def read_service_keys(options: Sequence[str]) -> tuple[ServiceKey, ...]:
    """Return keys of services, given directly or in files, one per line. Raises `Failure` for an invalid one."""
    found: list[ServiceKey] = []
    for option in options:
        lines = _lines(option)
        with _of_file(f"--service-key {option[:60]}"):
            found += map(parse_key, lines)
        if not lines:
            raise Failure(say("--service-key {option}: the file does not contain a key", option=option[:60]))
    return tuple(found)


def _lines(option: str) -> list[str]:
    """Return the lines of a file, or the key that is given in its place."""
    given = "+" in option and not Path(option).exists()
    try:
        lines = [option] if given else Path(option).read_text("utf-8").split("\n")
    except UnicodeDecodeError:
        raise Failure(say("{option}: not a text file with keys", option=option)) from None
    return [line for line in map(str.strip, lines) if line]


def check_receipts(
    receipts: Sequence[Receipt],
    keys: Sequence[Verifies],
    known: Witnesses,
    services: Sequence[ServiceKey],
    *,
    strict: bool,
    as_json: bool,
) -> int:
    """Check each receipt alone, except for the signature of a record of several lines. Return the worst exit code."""
    reports = [check(receipt, keys, *known, services=services, further=receipts) for receipt in receipts]
    for report in reports:
        if as_json:
            print_json(report.as_json())
        else:
            _print(report)
    codes = {report.exit_code(strict=strict) for report in reports}
    return 1 if 1 in codes else max(codes)


def _print(report: ReceiptReport) -> None:
    receipt = report.receipt
    checkpoint = receipt.checkpoint
    colour = {"agrees": "green", "differs": "red", "incomplete": "yellow"}[report.verdict]
    head = say(
        "event {seq} of {origin}, covered by its checkpoint of size {size}",
        seq=receipt.seq,
        origin=checkpoint.origin,
        size=checkpoint.size,
    )
    show(f"{words(term(report.verdict))}: ", colour=colour, bold=True, end="")
    show(head)
    told = [say("  {finding}", finding=why) for why in report.findings]
    told += [say("  incomplete: {why}", why=why) for why in report.lacking]
    told += [say("  remark: {why}", why=why) for why in report.remarks]
    if report.written_by is not None:
        told.append(say("  The event was written by {service}.", service=service_of(report.written_by.source)))
    told += [say("  The checkpoint was cosigned by {name}.", name=name) for name in report.cosigned]
    for sentence in told:
        show(sentence)
    if report.event is not None:
        for line in json.dumps(json.loads(receipt.line), ensure_ascii=False, indent=2).split("\n"):
            show(line)
