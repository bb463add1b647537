"""The audit of one log file or archive with its evidence, as ``arbiter verify`` makes it."""

from collections.abc import Sequence
from typing import NamedTuple

from deploy.cli.files.evidence_files import Evidence as Files
from deploy.cli.files.evidence_files import Witnesses, checkpoint_in, key_in, lines_in, sheets_in
from deploy.cli.files.log_files import texts_in
from shared.audit.audit import Evidence, audit
from shared.audit.receipts.receipt_check import Receipt
from shared.audit.report import OnProgress, Report, silent
from shared.core.language.messages import say
from shared.core.trust.service_keys import ServiceKey


class Trust(NamedTuple):
    """The keys that the auditor trusts: those of ``witnesses`` and of ``services``.

    ``keys_given``: whether keys of checkpoints were given as options.
    """

    witnesses: Witnesses
    services: Sequence[ServiceKey]
    keys_given: bool


def audit_files(
    given: Files,
    trust: Trust,
    receipts: Sequence[Receipt] = (),
    digests: Sequence[str] = (),
    on_progress: OnProgress = silent,
) -> Report:
    """Audit one log with its evidence, and an archive with its other files. Raises `Failure` for an unreadable file."""
    from deploy.server.rules import RULES

    lines = lines_in(given.log)
    evidence = Evidence(
        checkpoints=[checkpoint_in(file) for file in given.checkpoints],
        keys=[key_in(file) for file in given.keys],
        digests=digests,
        receipts=receipts,
        witnesses=trust.witnesses.witnesses,
        quorum=trust.witnesses.quorum,
        services=trust.services,
        texts=None if given.texts is None else [text.hash for text in texts_in(*given.texts)],
        sheets=None if given.sheets is None else sheets_in(given.sheets),
    )
    report = audit(lines, RULES, evidence, on_progress)
    if lines.cut:
        report.add(len(lines) + 1, len(lines) + 1, "line", say("the last line is cut off: its line end is missing"))
    if given.archive is not None:
        from deploy.cli.files.archive_files import compare

        compare(report, given.archive, lines, own_keys=given.own_keys)
    if (
        trust.keys_given
        and not (given.checkpoints or receipts)
        and not any(b'"arbiter.standings.published.' in line for line in lines)
    ):
        report.lack(say("--key was given without a checkpoint to verify"))
    return report
