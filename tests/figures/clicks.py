"""Writes deploy/docs/clicks.md: the clicks and keys of each job of an arbiter, counted in a browser by whole events."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.figures.store import ROOT, read

CLICKS = ROOT / "deploy" / "docs" / "clicks.md"
HEAD = """# Clicks and keys of each job

Tests play whole events in a browser, by mouse and keyboard alone, and count in the page itself. A click is a press of the
mouse. A choice from a list is two clicks. Ctrl+V is one key. Characters of names, reasons and notes are counted apart,
because every program needs them. The tests fail if a count differs from this page. To store new counts, run them with
`ARBITER_FIGURES=1`, then `make docs`.

The column *before* has the clicks and keys of Arbiter in November 2026, before these pages were changed. The column
*others* is the least of Sharly-Chess 5.1 (read in its repository, not run) and Swiss-Manager (from its manuals).
"""
TAIL = """
A foul takes more than the one click of a counter. It is a ruling: it needs its article, shows its consequences before it is
written, and the player may appeal. A correction needs its reason, because the first result stays in the record.
"""


@dataclass(frozen=True)
class Peer:
    """The former clicks and keys of a job, those of other programs, and the most that it may take if they are given."""

    before: str
    others: str = "not known"
    most: int | None = None


JOBS = {
    "first login": Peer("a command, then 354 characters pasted"),
    "create an event": Peer("5 clicks"),
    "invite an official": Peer("not counted"),
    "add 24 players, pasted": Peer("3 clicks, 1 key, 4 more clicks for headings"),
    "add 298 players, pasted": Peer("not counted"),
    "add a player, typed": Peer("2 clicks, 7 keys"),
    "check in 23 of 24": Peer("24 clicks", "23 clicks", 23),
    "check in 300": Peer("301 clicks", "300 clicks", 300),
    "give an absent player a bye, pair and publish": Peer("not possible", "2 clicks and an alert"),
    "pair and publish": Peer("2 clicks", "2 clicks", 2),
    "print a round": Peer("1 click, 1 key", "a dialog", 2),
    "enter a round of 12": Peer("24 keys", "12 keys", 12),
    "correct a slip": Peer("4 clicks", "2 keys"),
    "rule a foul": Peer("5 clicks, 1 key", "1 click, without a ruling"),
    "rule a foul with a note": Peer("5 clicks, 1 key"),
    "rule a late arrival": Peer("not counted"),
    "file an appeal": Peer("not counted"),
    "decide an appeal": Peer("not counted"),
    "withdraw a player": Peer("not counted"),
    "publish the final standings": Peer("not counted"),
    "enter 150 results": Peer("300 keys", "150 keys", 150),
}


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join((HEAD, *_rows())) + "\n" + TAIL


def _rows() -> Iterator[str]:
    yield "| job | event | clicks | keys | text | before | others |"
    yield "|---|---|---|---|---|---|---|"
    for job, peer in JOBS.items():
        for event, efforts in read()["efforts"].items():
            if job in efforts:
                clicks, keys, text = efforts[job]
                yield f"| {job} | {event} | {clicks} | {keys} | {text} | {peer.before} | {peer.others} |"
