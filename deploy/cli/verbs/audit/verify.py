"""``arbiter verify``: the audit, from exported bytes alone."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from deploy.cli.files.engine_wheels import engines_from
from deploy.cli.files.evidence_files import (
    NOT_INCLUDED,
    check_receipts,
    checkpoint_in,
    key_in,
    lines_in,
    read_evidence,
    read_key,
    read_receipt,
    read_service_keys,
    read_witnesses,
    sheets_in,
)
from deploy.cli.files.log_files import texts_in
from deploy.cli.terminal.verb import Verb, counted, json_option, print_json, several, show, words
from deploy.failure import Failure
from services.standings.audit.audits import STAGES
from shared.audit.report import AuditFinding, OnProgress, Progress, Report, silent
from shared.core.language.messages import Message, in_turn, say, term
from shared.core.terms import Verdict

_ERASE = "\r\x1b[K"
"""Return to the beginning of the line and clear it."""


@contextmanager
def progress_bar() -> Iterator[OnProgress]:
    """Show the stage and its progress in one line of standard error, if that is a terminal; clear it at the end."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield silent
        return

    def tell(progress: Progress) -> None:
        stage, done, total = progress
        print(f"{_ERASE}{words(STAGES[stage])} {done}/{total}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        print(_ERASE, end="", file=sys.stderr, flush=True)


@click.command(
    cls=Verb,
    exits={
        0: say("agrees: everything that was checked matches."),
        1: say(
            "differs: an event, hash or signature does not match. With --strict, also if the audit has a remark or is incomplete."
        ),
        2: say("Wrong usage, or a file cannot be read."),
        3: say("incomplete: something could not be checked, for example because a file is missing."),
    },
    example="arbiter verify spring-cup.ndjson --checkpoint spring-cup.checkpoint --key cup/arbiter.vkey",
)
@click.argument("log", metavar="[LOG.ndjson|ARCHIVE.zip]", required=False)
@click.option("--sheets", metavar="FILE", help="Score sheets of the games (NDJSON).")
@several("--checkpoint", "checkpoints", "FILE", "Signed checkpoint, also an old one; may be repeated.")
@several("--key", "keys", "FILE", "Public key that verifies checkpoints; may be repeated.")
@several("--digest", "digests", "SEQ:HEX", "Short digest of a checkpoint, as printed; may be repeated.")
@several("--receipt", "receipts", "FILE", "Receipt of an event of the log, or to check without a log; may be repeated.")
@several("--witness", "witnesses", "VKEY", "Key of a witness, or a file of keys; may be repeated.")
@several("--service-key", "service_keys", "VKEY", "Key of a service, or a file of keys; may be repeated.")
@click.option(
    "--quorum", type=click.IntRange(1), metavar="N", help="Number of witness signatures required (default: all)."
)
@click.option("--texts", metavar="FILE", help="Exported texts (NDJSON), to compare with the log.")
@click.option(
    "--wheels",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar="ARBITER_WHEELS",
    metavar="FOLDER",
    help="Folder of wheels with other versions of the pairing engines ($ARBITER_WHEELS).",
)
@click.option("--strict", is_flag=True, help="Fail on incomplete checks, on remarks and on logs of older editions.")
@json_option
def verify(
    log: str | None, *, sheets: str | None, checkpoints: tuple[str, ...], keys: tuple[str, ...],
    digests: tuple[str, ...], receipts: tuple[str, ...], witnesses: tuple[str, ...],
    service_keys: tuple[str, ...], quorum: int | None, texts: str | None, wheels: Path | None, strict: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Audit a log file, an archive or a receipt.

    The format and order of the events, their root hashes and signatures are checked, and every decision is re-evaluated.
    A remark, for example on events after the last root hash, does not change the verdict. Without a log, only the
    receipts of --receipt are checked.

    An archive is audited as a whole: its own files are the evidence, and its tables are recomputed.
    """
    from deploy.server.rules import RULES
    from shared.audit.audit import Evidence, audit

    known = read_witnesses(witnesses, quorum)
    services = read_service_keys(service_keys)
    taken = [read_receipt(f) for f in receipts]
    if log is None:
        if not taken or sheets or checkpoints or digests or texts:
            raise Failure(say("the log is missing; without a log, only receipts can be checked"))
        return check_receipts(taken, [read_key(f) for f in keys], known, services, strict=strict, as_json=as_json)
    given = read_evidence(log, sheets, texts, checkpoints, keys)
    if known.witnesses and not (given.checkpoints or receipts):
        raise Failure(say("--witness requires --checkpoint or --receipt"))
    lines = lines_in(given.log)
    evidence = Evidence(
        checkpoints=[checkpoint_in(file) for file in given.checkpoints],
        keys=[key_in(file) for file in given.keys],
        digests=digests,
        receipts=taken,
        witnesses=known.witnesses,
        quorum=known.quorum,
        services=services,
        texts=None if given.texts is None else [text.hash for text in texts_in(*given.texts)],
        sheets=None if given.sheets is None else sheets_in(given.sheets),
    )
    with progress_bar() as tell, engines_from(wheels):
        report = audit(lines, RULES, evidence, tell)
    if lines.cut:
        report.add(len(lines) + 1, len(lines) + 1, "line", say("the last line is cut off: its line end is missing"))
    if given.archive is not None:
        from deploy.cli.files.archive_files import compare

        compare(report, given.archive, lines, own_keys=given.own_keys)
    if (
        keys
        and not (given.checkpoints or receipts)
        and not any(b'"arbiter.standings.published.' in line for line in lines)
    ):
        report.lack(say("--key was given without a checkpoint to verify"))
    if as_json:
        print_json(msgspec.to_builtins(report.answer()))
    else:
        _print(report, checked=bool(given.checkpoints or digests or receipts))
        if strict and report.exit_code(strict=True) and report.verdict != "differs":
            show(say("  --strict: the audit fails because it is incomplete or has a remark."))
    return report.exit_code(strict=strict)


_COLOURS: dict[Verdict, str] = {"agrees": "green", "differs": "red", "incomplete": "yellow"}


def _print(report: Report, *, checked: bool) -> None:
    name = report.tournament or words(say("an unknown tournament"))
    verdict = words(term(report.verdict))
    show(f"{verdict}: ", colour=_COLOURS[report.verdict], bold=True, end="")
    for sentence in _sentences(report, name, checked=checked):
        show(sentence)


def _sentences(report: Report, name: str, *, checked: bool) -> Iterator[Message]:
    """Yield the lines of the report after its verdict."""
    size = counted(
        report.size, say("1 event of {name}", name=name), say("{count} events of {name}", count=report.size, name=name)
    )
    public = report.verdict == "agrees" and NOT_INCLUDED in report.remark_counts
    yield say("{events}; names and notes are not included", events=size) if public else size
    yield _reevaluated(report)
    yield say(
        "  The log follows edition {offices} of the rules about roles and decision edition {decisions}.",
        offices=report.offices,
        decisions=report.decisions,
    )
    for why, count in report.unchecked.items():
        yield counted(
            count,
            say("    1 was not re-evaluated: {why}", why=why),
            say("    {count} were not re-evaluated: {why}", count=count, why=why),
        )
    for why, count in report.lacking.items():
        yield say("  incomplete: {why}", why=_times(why, count))
    yield from _findings(report)
    if report.between is not None and report.between[0] != report.between[1]:
        first, last = report.between
        yield say(
            "  According to the root hashes, the change is between events {first} and {last}.", first=first, last=last
        )
    for crossing in report.crossings:
        noted = say("noted") if crossing.noted else say("not noted yet")
        yield say(
            "  Event {seq} was decided concurrently with another ({noted}): {why}",
            seq=crossing.seq,
            noted=noted,
            why=crossing.why,
        )
    for why, count in report.remark_counts.items():
        yield say("  remark: {why}", why=_times(why, count))
    if report.uncovered:
        uncovered = counted(
            report.uncovered,
            say("no root hash covers the last event"),
            say("no root hash covers the last {count} events", count=report.uncovered),
        )
        hint = say("run `arbiter checkpoint` to cover the end of the log")
        yield say("  remark: {why}", why=uncovered if checked else in_turn((uncovered, hint)))


def _reevaluated(report: Report) -> Message:
    """Return how many decisions match, differ, and were not re-evaluated."""
    left = sum(report.unchecked.values())
    if not report.differ and not left:
        return counted(
            report.decided,
            say("  The event was re-evaluated and matches."),
            say("  All {count} events were re-evaluated and match.", count=report.decided),
        )
    match = counted(report.decided, say("1 matches"), say("{count} match", count=report.decided))
    differ = counted(report.differ, say("1 differs"), say("{count} differ", count=report.differ))
    unchecked = counted(left, say("1 was not re-evaluated"), say("{count} were not re-evaluated", count=left))
    return say(
        "  Of the re-evaluated events, {match} and {differ}; {unchecked}.",
        match=match,
        differ=differ,
        unchecked=unchecked,
    )


def _findings(report: Report) -> Iterator[Message]:
    """Yield every finding, but only the first of the roots that do not match: the others result from it."""
    roots = 0
    for finding in report.in_order():
        roots += finding.kind == "root"
        if finding.kind != "root" or roots == 1:
            yield say("  {finding}", finding=_found(finding))
    if roots > 1:
        yield counted(
            roots - 1,
            say("  1 later root hash does not match either; --json lists it."),
            say("  {count} later root hashes do not match either; --json lists them.", count=roots - 1),
        )


def _found(finding: AuditFinding) -> Message:
    kind, why = term(finding.kind), finding.why
    if finding.first == finding.last:
        return say("event {line} ({kind}): {why}", line=finding.last, kind=kind, why=why)
    return say("events {first} to {last} ({kind}): {why}", first=finding.first, last=finding.last, kind=kind, why=why)


def _times(why: Message, count: int) -> Message:
    return say("{why} ({count} times)", why=why, count=count) if count > 1 else why
