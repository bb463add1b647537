"""Receipts, keys of witnesses and of services as files: reading them, and receipts checked alone."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deploy.cli.terminal.verb import print_json, show, words
from deploy.failure import Failure
from shared.audit.checkpoints.checkpoint import Verifies
from shared.audit.checkpoints.cosignature import Witness, parse_witness
from shared.audit.checkpoints.note import BadCheckpoint
from shared.audit.receipts.receipt import MAX_BYTES, Receipt, parse_receipt
from shared.audit.receipts.receipt_check import ReceiptReport, check
from shared.core.language.messages import message_of, say, term
from shared.core.terms import service_of
from shared.core.trust.service_keys import BadServiceKey, ServiceKey, parse_key


class Witnesses(NamedTuple):
    """Those whose cosignatures count, and how many of them must be there."""

    witnesses: tuple[Witness, ...]
    quorum: int


def read_receipt(file: str) -> Receipt:
    """The receipt of a file; one that is none ends the command."""
    content = Path(file).read_bytes()
    if len(content) > MAX_BYTES:
        raise Failure(say("{file}: a receipt has at most {most} bytes", file=file, most=MAX_BYTES))
    try:
        return parse_receipt(content.decode())
    except UnicodeDecodeError:
        raise Failure(say("{file}: not a receipt: the file is not UTF-8", file=file)) from None
    except BadCheckpoint as problem:
        raise Failure(say("{file}: {problem}", file=file, problem=message_of(problem))) from None


def read_witnesses(options: Sequence[str], quorum: int | None) -> Witnesses:
    """Keys given as themselves or in files, a line each; ``quorum`` None: all of them."""
    found: dict[bytes, Witness] = {}
    for option in options:
        for line in _lines(option):
            try:
                witness = parse_witness(line.split(" ")[0])
            except BadCheckpoint as problem:
                raise Failure(say("--witness {line}: {problem}", line=line[:60], problem=message_of(problem))) from None
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
    """Keys of services given as themselves or in files, a line each; one that is none ends the command."""
    found: list[ServiceKey] = []
    for option in options:
        lines = _lines(option)
        try:
            found += map(parse_key, lines)
        except BadServiceKey as problem:
            raise Failure(
                say("--service-key {option}: {problem}", option=option[:60], problem=message_of(problem))
            ) from None
        if not lines:
            raise Failure(say("--service-key {option}: the file does not contain a key", option=option[:60]))
    return tuple(found)


def _lines(option: str) -> list[str]:
    """The lines of a file, or the key that is given in its place."""
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
    """Each receipt by itself, but for the signature of a record of several lines; the worst exit code."""
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
        show(json.dumps(json.loads(receipt.line), ensure_ascii=False, indent=2))
