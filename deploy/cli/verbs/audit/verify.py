"""``arbiter verify``: the audit, from exported bytes alone."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from deploy.cli.files.audit_sentences import report_sentences
from deploy.cli.files.engine_wheels import engines_from
from deploy.cli.files.evidence_files import (
    check_receipts,
    read_evidence,
    read_key,
    read_receipt,
    read_service_keys,
    read_witnesses,
)
from deploy.cli.terminal.verb import Integer, Verb, json_option, print_json, several, show, words
from deploy.failure import Failure
from services.standings.audit.audits import STAGES
from shared.audit.report import OnProgress, Progress, Report
from shared.core.language.messages import Message, say, term
from shared.core.terms import Verdict

if TYPE_CHECKING:
    from deploy.cli.files.log_audit import Trust

_ERASE = "\r\x1b[K"
"""Return to the beginning of the line and clear it."""


@contextmanager
def status_line() -> Iterator[Callable[[Message], None]]:
    """Show a changing message in one line of standard error, if that is a terminal; clear it at the end."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda message: None
        return

    def tell(message: Message) -> None:
        print(f"{_ERASE}{words(message)}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        print(_ERASE, end="", file=sys.stderr, flush=True)


@contextmanager
def progress_bar() -> Iterator[OnProgress]:
    """Show the stage and its progress in one line of standard error, if that is a terminal; clear it at the end."""
    with status_line() as show_line:

        def tell(progress: Progress) -> None:
            stage, done, total = progress
            show_line(say("{stage} {done}/{total}", stage=STAGES[stage], done=done, total=total))

        yield tell


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
@click.argument("log", metavar="[LOG.ndjson|ARCHIVE.zip|FOLDER]", required=False)
@click.option("--sheets", metavar="FILE", help="Score sheets of the games (NDJSON).")
@several("--checkpoint", "checkpoints", "FILE", "Signed checkpoint, also an old one; may be repeated.")
@several("--key", "keys", "FILE", "Public key that verifies checkpoints; may be repeated.")
@several("--digest", "digests", "SEQ:HEX", "Short digest of a checkpoint, as printed; may be repeated.")
@several("--receipt", "receipts", "FILE", "Receipt of an event of the log, or to check without a log; may be repeated.")
@several("--witness", "witnesses", "VKEY", "Key of a witness, or a file of keys; may be repeated.")
@several("--service-key", "service_keys", "VKEY", "Key of a service, or a file of keys; may be repeated.")
@click.option("--quorum", type=Integer(1), metavar="N", help="Number of witness signatures required (default: all).")
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
    """Audit a log file, an archive, a folder of them or a receipt.

    The format and order of the events, their root hashes and signatures are checked, and every decision is re-evaluated.
    A remark, for example on events after the last root hash, does not change the verdict. Without a log, only the
    receipts of --receipt are checked.

    An archive is audited as a whole: its own files are the evidence, and its tables are recomputed.

    In a folder, every log (*.ndjson) and archive (*.zip) is audited, one process per core. The summary lists each that does
    not agree. The evidence of NAME.ndjson is in NAME.sheets.ndjson, NAME.texts.ndjson and NAME.checkpoint, if they exist.
    The exit code is 1 if a log differs, else 2 if one is unreadable, else 3 if one is incomplete.
    """
    known = read_witnesses(witnesses, quorum)
    services = read_service_keys(service_keys)
    taken = [read_receipt(f) for f in receipts]
    if log is None:
        if not taken or sheets or checkpoints or digests or texts:
            raise Failure(say("the log is missing; without a log, only receipts can be checked"))
        return check_receipts(taken, [read_key(f) for f in keys], known, services, strict=strict, as_json=as_json)
    from deploy.cli.files.log_audit import Trust, audit_files

    trust = Trust(known, services, keys_given=bool(keys))
    if Path(log).is_dir():
        if sheets or texts or checkpoints or digests or receipts:
            raise Failure(
                say(
                    "{log} is a folder: --sheets, --texts, --checkpoint, --digest and --receipt belong to one log; "
                    "store NAME.sheets.ndjson, NAME.texts.ndjson and NAME.checkpoint next to NAME.ndjson",
                    log=log,
                )
            )
        return _verify_folder(Path(log), keys, trust, wheels=wheels, strict=strict, as_json=as_json)
    given = read_evidence(log, sheets, texts, checkpoints, keys)
    if known.witnesses and not (given.checkpoints or receipts):
        raise Failure(say("--witness requires --checkpoint or --receipt"))
    with progress_bar() as tell, engines_from(wheels):
        report = audit_files(given, trust, taken, digests, tell)
    if as_json:
        print_json(msgspec.to_builtins(report.answer()))
    else:
        _print(report, checked=bool(given.checkpoints or digests or receipts))
        if strict and report.exit_code(strict=True) and report.verdict != "differs":
            show(say("  --strict: the audit fails because it is incomplete or has a remark."))
    return report.exit_code(strict=strict)


def _verify_folder(
    folder: Path, keys: tuple[str, ...], trust: "Trust", *, wheels: Path | None, strict: bool, as_json: bool
) -> int:
    from deploy.cli.files.log_folder import audit_folder, folder_sentences

    for key in keys:
        read_key(key)  # a bad key is an error of the command, not of every log
    with status_line() as tell:
        result = audit_folder(
            folder,
            keys,
            trust,
            wheels=wheels,
            strict=strict,
            on_log=lambda done, total: tell(say("verifying the logs {done}/{total}", done=done, total=total)),
        )
    if as_json:
        print_json(result.answer())
        return result.exit_code
    _print_verdict(result.verdict)
    for sentence in folder_sentences(result, folder):
        show(sentence)
    return result.exit_code


_COLOURS: dict[Verdict, str] = {"agrees": "green", "differs": "red", "incomplete": "yellow"}


def _print(report: Report, *, checked: bool) -> None:
    _print_verdict(report.verdict)
    for sentence in report_sentences(report, checked=checked):
        show(sentence)


def _print_verdict(verdict: Verdict) -> None:
    show(f"{words(term(verdict))}: ", colour=_COLOURS[verdict], bold=True, end="")
