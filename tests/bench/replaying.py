"""Replay and audit against decoding alone."""

from collections.abc import Iterator
from hashlib import sha256

from shared.audit.audit import Evidence, audit
from shared.desk.replay import replay
from shared.desk.views import Ledger
from shared.wire.envelope import ENVELOPE
from shared.wire.event_data import READERS
from tests.bench.measure import Ratio, compare_cpu
from tests.bench.played import played_log

EVENTS = 1_000_000


def _floor(lines: list[bytes], hashed: bool) -> int:
    """Decode each line into the types that replay decodes it into, and count."""
    envelope, data, count = ENVELOPE.decode, READERS, 0
    for line in lines:
        if hashed:
            sha256(line).digest()
        decoded = envelope(line)
        data[decoded.type](decoded.data)
        count += 1
    return count


def _times(lines: list[bytes]) -> int:
    return -(-EVENTS // len(lines))


def benchmarks() -> Iterator[Ratio]:
    yield from replays()
    yield audits()


def replays() -> Iterator[Ratio]:
    """Yield replay alone, and with hashes and roots, each against decoding."""
    lines = played_log()
    again = _times(lines)

    def ours() -> int:
        return sum(replay(lines, "B").seq for _ in range(again))

    def verified() -> int:
        return sum(Ledger.of("B", lines).size for _ in range(again))

    yield compare_cpu(
        "replay of a million events", "events/s", 0.5, ours, lambda: sum(_floor(lines, False) for _ in range(again))
    )
    yield compare_cpu(
        "replay with hashes and roots",
        "events/s",
        0.5,  # The floor has one hash a line; the tree has two, with a root a command and the fold: 0.6 with no overhead.
        verified,
        lambda: sum(_floor(lines, True) for _ in range(again)),
    )


def audits() -> Ratio:
    """Return the audit of a log against replaying it with hashes and roots. The profile behind the bound is in scale.md."""
    lines = played_log()

    from deploy.server.rules import RULES

    def audited() -> int:
        report = audit(lines, RULES, Evidence(engines=False))
        assert not report.findings, report.first
        return report.size

    return compare_cpu("audit, engine pairings apart", "events/s", 0.06, audited, lambda: Ledger.of("B", lines).size)
