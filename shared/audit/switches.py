"""The two switches of a log: the editions of its offices and of its decisions."""

from collections.abc import Sequence

from shared.audit.report import Report
from shared.core.events import Event, RegulationsAdopted, TournamentAnnounced
from shared.core.language.messages import say
from shared.core.rulebook.regulations import DECISIONS, Regulations
from shared.regulations.editions import NO_CHANGE, against_shipped, beyond_comparison
from shared.regulations.lookalike import lookalike
from shared.wire.canonical import OFFICES

DIGESTS_SINCE = 2
"""The first decision edition whose adopted regulations contain the digest of their own edition."""


def read_switches(report: Report, events: Sequence[Event]) -> None:
    """Read both editions into the report. Neither may go down within a log. An old one gets a remark."""
    for event in events:
        data = event.data
        if isinstance(data, TournamentAnnounced):
            _refuse_decrease(report, event, "offices", report.offices, data.offices)
            report.offices = max(report.offices, data.offices)
        elif isinstance(data, RegulationsAdopted):
            _refuse_decrease(report, event, "decisions", report.decisions, data.regulations.decisions)
            if not 1 <= data.regulations.decisions <= DECISIONS:
                why = say("no edition {decisions} of decisions is known here", decisions=data.regulations.decisions)
                report.add(event.seq, event.seq, "decision", why)
            report.decisions = max(report.decisions, data.regulations.decisions)
            _compare_adopted(report, event.seq, data.regulations)
    if report.offices < OFFICES:
        report.remark(
            say(
                "offices {offices}: the log promises neither offices nor signatures, so none was asked for",
                offices=report.offices,
            )
        )
    if report.decisions < DECISIONS:
        report.remark(
            say(
                "decisions {decisions}: decided as that edition decided, which later ones decide otherwise",
                decisions=report.decisions,
            )
        )


def _refuse_decrease(report: Report, event: Event, name: str, before: int, now: int) -> None:
    if now < before:
        report.add(
            event.seq,
            event.seq,
            "order",
            say("{name} go back from {before} to {now}, which no log does", name=name, before=before, now=now),
        )


def _compare_adopted(report: Report, seq: int, adopted: Regulations) -> None:
    """Check that regulations are the shipped edition that they claim to be, apart from their declared changes."""
    if adopted.decisions < DIGESTS_SINCE and not adopted.digest:
        report.remark(say("regulations without the digest of their edition, so that they were not compared with it"))
        return
    why = against_shipped(adopted)
    if why is not None:
        report.add(seq, seq, "decision", say("regulations with {why}", why=why))
        return
    if (alike := lookalike(adopted.name)) is not None:
        report.remark(say("regulations of the organiser's own: {alike}", alike=alike))
    if beyond_comparison(adopted):
        report.remark(say("{name}, {edition}: {why}", name=adopted.name, edition=adopted.edition, why=NO_CHANGE))
