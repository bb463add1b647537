"""The pages for auditors: the audit of a log, its integrity, and how to verify it without this server."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from msgspec import UNSET

from services.standings import queries
from services.standings.audit.audits import STAGES, Audits, cosigned, signatures
from services.standings.descriptions.words import filled
from services.standings.files.archive.contents import service_keys
from services.standings.files.archive_routes import Archives
from services.standings.page_context import LAYOUT, page_context
from services.standings.rules.integrity import IntegrityList, LostTextAnswer, SharedPlaceAnswer
from shared.audit.checkpoints.note import BadCheckpoint, SignedNotes
from shared.audit.report import Progress
from shared.audit.report_answer import FindingAnswer
from shared.core.language.messages import Message, MessageFact, message_of, say
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.readings.settlement import describe
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.http.operations import AUDIT, TABLE, WHOLE_LOG, Operation

SHOWN = 500
"""Findings that the page of an audit lists; the audit as JSON has them all."""


def audit(bp: Blueprint, desk: Desk, audits: Audits) -> None:
    """Serve the page of the audit, and its progress until it is made."""

    @LAYOUT.serves(bp, "/t/<t>/audit", cost=AUDIT)
    def audit_page(t: str) -> Response:
        page = page_context(desk, t)
        found = audits.look(page.state.id)
        if isinstance(found, Progress):
            return page.render("audit.html", report=None, progress=found, stage=STAGES[found.stage])
        first, later = _without_later_roots(found.found)
        return page.render("audit.html", report=found, found=first, roots=later, shown=SHOWN)


def _without_later_roots(found: Sequence[FindingAnswer]) -> tuple[list[FindingAnswer], list[FindingAnswer]]:
    """Return the findings of their own, and the roots after the first that does not fit, which follow from it."""
    roots = [one for one in found if one.kind == "root"]
    return [one for one in found if one.kind != "root" or one is roots[0]], roots[1:]


def integrity(bp: Blueprint, desk: Desk, notes: SignedNotes) -> None:
    """How the log is kept, and what was done by right and should be looked at all the same."""

    @LAYOUT.serves(bp, "/t/<t>/integrity", cost=WHOLE_LOG)
    def integrity_page(t: str) -> Response:
        page = page_context(desk, t)
        listed = queries.integrity(desk, page.tournament)
        kept = [signatures(page.state), cosigned(page.state, notes)]
        return page.render(
            "integrity.html",
            kept=kept,
            lost=len(listed.texts),
            listed=told(page.view.tournament, listed),
        )


def verification(bp: Blueprint, desk: Desk, archives: Archives, verifier: Path) -> None:
    """Register the instructions to verify an event without this server, and the page that does it.

    The page is saved and opened from the disk, because a browser does not compute signatures over plain HTTP.
    """

    @LAYOUT.serves(bp, "/t/<t>/verify", cost=TABLE)
    def verify_page(t: str) -> Response:
        page = page_context(desk, t)
        checkpoint, refused = "", None
        try:
            checkpoint = signed_checkpoint(desk, page.view)
        except (NotSigned, BadCheckpoint) as problem:
            refused = message_of(problem)
        return page.render(
            "verify.html",
            checkpoint=checkpoint,
            refused=refused,
            house=archives.house(),
            services=service_keys(page.state).decode(),
            origin=request.url_root.rstrip("/"),
        )

    @bp.get("/verify.html")
    @Operation()
    def verifier_page() -> Response:
        response = Response(verifier.read_bytes(), content_type="text/html; charset=utf-8")
        response.headers["Content-Disposition"] = 'attachment; filename="verify.html"'
        response.headers["Cache-Control"] = "no-cache"
        return response


def crossings(bp: Blueprint, desk: Desk, audits: Audits) -> None:
    """Serve the page; it is found by an audit, so that the desk of a round only leads to it."""

    @LAYOUT.serves(bp, "/t/<t>/crossings", cost=AUDIT)
    def crossings_page(t: str) -> Response:
        page = page_context(desk, t)
        found = audits.look(page.state.id)
        crossings = None if isinstance(found, Progress) else found.crossings
        return page.render("crossings.html", crossings=crossings)


class Told(NamedTuple):
    """A kind with its entries, each by the sequence number of its event."""

    name: str
    title: Message
    entries: tuple[tuple[int, Message], ...]


KINDS: dict[str, tuple[Message, Message | None]] = {
    "regulations": (say("Regulations that were changed after play had begun"), say("{actor} changed {values}")),
    "overrides": (
        say("Absolute rules that the chief arbiter waived in a pairing"),
        say("round {round}: {actor} waived {rules}"),
    ),
    "shared": (
        say("First places that are shared, which the regulations do not allow"),
        say("rank {rank} is shared by {sides}"),
    ),
    "orphans": (
        say("Events that do not count, because the pairing was withdrawn or a ruling decided the game"),
        say("of game {game}"),
    ),
    "beneath": (
        say("Corrected results that a ruling overrides while it is in force"),
        say("game {game}, overridden by ruling {ruling}"),
    ),
    "arrivals": (
        say("Arrivals and breaks that were corrected after a later round had been paired"),
        say("game {game}: {corrects} was corrected by {by}"),
    ),
    "claims": (say("Claims that wait for an arbiter"), say("claim {claim} in game {game} waits for an arbiter")),
    "findings": (
        say("Findings of score sheets that nobody has answered"),
        say("finding {finding} in game {game} is open"),
    ),
    "contradicted": (
        say("Rulings that are not in force because a score sheet contradicts them"),
        say("ruling {ruling} on game {game} is not in force"),
    ),
    "outdated": (say("Pairings and tables that a later event contradicts, and that were not settled"), None),
    "texts": (say("Erasable texts that are missing but were not erased"), say("text {text}")),
}
"""By its name in `IntegrityList`, the title and the sentence of each kind (None: `describe`), in the order of the page."""
_ON_A_SHEET = say("text {text}, which event {line} of the score sheet of {game} refers to")


def told(t: Tournament, listed: IntegrityList) -> list[Told]:
    """Return the kinds that have entries."""
    kinds = ((name, title, sentence, getattr(listed, name)) for name, (title, sentence) in KINDS.items())
    return [
        Told(name, title, tuple((_seq(one), _words(t, sentence, one)) for one in entries))
        for name, title, sentence, entries in kinds
        if entries
    ]


def _seq(entry: Any) -> int:
    seq: int = entry.because if isinstance(entry, OutdatedBasis) else entry.seq
    return seq


def _words(t: Tournament, sentence: Message | None, entry: Any) -> Message:
    if sentence is None:
        return describe(t, entry)
    if isinstance(entry, LostTextAnswer) and entry.game is not UNSET:
        sentence = _ON_A_SHEET
    return filled(sentence, lambda name: _sides(entry) if name == "sides" else _fact(entry, name))


def _fact(entry: Any, name: str) -> MessageFact:
    value: Any = getattr(entry, name)
    return value if isinstance(value, str | int) else tuple(value)


def _sides(place: SharedPlaceAnswer) -> Message:
    if place.teams is not UNSET:
        return say("the teams {teams}", teams=tuple(place.teams))
    return say("the players {players}", players=tuple(place.players or ()))
