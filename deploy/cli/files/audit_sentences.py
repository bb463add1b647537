"""The report of an audit in sentences, and that of a folder."""

from collections.abc import Iterator

from deploy.cli.terminal.verb import counted, words
from shared.audit.report import AuditFinding, Report
from shared.core.language.messages import Message, in_turn, say, term

NOT_INCLUDED = say("names and notes are not included: this is a public copy, without erasable texts")
"""The remark on a public copy of an archive."""


def report_sentences(report: Report, *, checked: bool) -> Iterator[Message]:
    """Yield the lines of a report after its verdict. ``checked``: it was compared with a root that the auditor gave."""
    name = report.tournament or words(say("an unknown tournament"))
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
            yield say("  {finding}", finding=describe_finding(finding))
    if roots > 1:
        yield counted(
            roots - 1,
            say("  1 later root hash does not match either; --json lists it."),
            say("  {count} later root hashes do not match either; --json lists them.", count=roots - 1),
        )


def describe_finding(finding: AuditFinding) -> Message:
    """Return a finding with its place in the log."""
    kind, why = term(finding.kind), finding.why
    if finding.first == finding.last:
        return say("event {line} ({kind}): {why}", line=finding.last, kind=kind, why=why)
    return say("events {first} to {last} ({kind}): {why}", first=finding.first, last=finding.last, kind=kind, why=why)


def _times(why: Message, count: int) -> Message:
    return say("{why} ({count} times)", why=why, count=count) if count > 1 else why
