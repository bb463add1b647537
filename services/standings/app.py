"""The standings service: its routes and pages on a command handler."""

from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Blueprint

from services.standings.audit import audit_pages, audit_routes, checkpoint_routes, proof_routes
from services.standings.audit.audits import Audits
from services.standings.closing import closing_pages, publication_routes
from services.standings.files import archive_routes, file_routes
from services.standings.files.archive_routes import Archives
from services.standings.log import line_pages, log_pages, log_routes, timeline_pages
from services.standings.papers import paper_pages
from services.standings.people import people_pages, people_routes
from services.standings.people.people_routes import People
from services.standings.previews import preview_pages, preview_routes, what_if_pages
from services.standings.reference import reference_pages
from services.standings.rounds import screen_pages, tournament_pages
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rulebook import regulation_pages, role_pages, ruling_pages
from services.standings.rules.diff import Preview
from services.standings.tables import (
    csv_pages,
    prize_pages,
    table_pages,
    table_routes,
)
from services.standings.tables.calendar import calendar_routes, front_page
from services.standings.tables.calendar.calendar_query import Calendar
from services.standings.webhooks import webhook_pages, webhook_routes
from shared.audit.checkpoints.note import NoNotes, SignedNotes
from shared.core.terms import STANDINGS
from shared.desk.desk import Desk
from shared.http.commands import write_routes
from shared.http.commands.previews import Previews
from shared.http.commands.write_routes import lost_key
from shared.http.identity.proxies import Network

NO_NOTES = NoNotes()
LOST_KEY = lost_key(
    STANDINGS,
    "pairing-key",
    "announcePairingKey",
    "Announce the new signing key of pairing",
    "Use it if the private key of the pairing service is lost. Later events of that service are verified with the new key. "
    "Every audit lists the change.",
)


def blueprint(
    desk: Desk,
    audits: Audits,
    previews: Previews[Preview],
    archives: Archives,
    verifier: Path,
    description: Path,
    notes: SignedNotes = NO_NOTES,
    webhook_networks: Sequence[Network] = (),
    calendar_caught_up: Callable[[], object] = lambda: None,
    people_caught_up: Callable[[], object] = lambda: None,
) -> Blueprint:
    """Return all routes and pages of the service, which its README lists.

    ``audits`` re-evaluate a log, and ``previews`` compute the consequences of a command. Both know the rules of all services,
    which no service does. ``archives`` packs a whole event. ``verifier``: the file of the page that verifies it.
    ``description``: the file of the OpenAPI document of all services. ``notes``: the checkpoints that were signed and cosigned
    before. ``webhook_networks``: non-public networks to which webhooks may be sent. ``calendar_caught_up`` and
    ``people_caught_up`` wait for these projections.
    """
    bp = Blueprint("standings", __name__)
    write_routes.register(bp, desk, (LOST_KEY,))
    crossings = OpenCrossings(desk, audits)
    calendar = Calendar(desk, calendar_caught_up)
    calendar_routes.calendar(bp, calendar)
    front_page.front(bp, calendar)
    table_routes.tables(bp, desk)
    table_routes.teams(bp, desk)
    table_pages.tables(bp, desk)
    csv_pages.tables_as_files(bp, desk)
    prize_pages.prize_lists(bp, desk)
    table_pages.players(bp, desk)
    table_pages.teams(bp, desk)
    file_routes.files(bp, desk)
    write_routes.register(bp, desk, file_routes.WRITES)
    archive_routes.archives(bp, desk, archives, notes)
    log_routes.log(bp, desk)
    log_pages.log(bp, desk)
    line_pages.lines(bp, desk, previews)
    timeline_pages.timeline(bp, desk)
    proof_routes.proofs(bp, desk)
    checkpoint_routes.checkpoints(bp, desk, notes)
    write_routes.register(bp, desk, (checkpoint_routes.restart_route(notes),))
    checkpoint_routes.tiles(bp, desk, notes)
    audit_routes.audits(bp, desk, audits)
    audit_pages.audit(bp, desk, audits)
    audit_pages.integrity(bp, desk, notes)
    audit_pages.verification(bp, desk, archives, verifier)
    audit_pages.crossings(bp, desk, audits)
    publication_routes.publications(bp, desk)
    closing_pages.closing(bp, desk, audits, notes)
    webhook_routes.webhooks(bp, desk, webhook_networks)
    webhook_pages.webhook_pages(bp, desk, webhook_networks)
    people = People(desk, people_caught_up)
    people_routes.people(bp, people)
    people_pages.pages(bp, people)
    preview_routes.previews(bp, desk, previews)
    preview_pages.pages(bp, desk, previews)
    what_if_pages.what_if(bp, desk)
    tournament_pages.tournament(bp, desk, crossings)
    tournament_pages.rounds(bp, desk, crossings)
    tournament_pages.live(bp, desk)
    screen_pages.screen(bp, desk)
    role_pages.office(bp, desk)
    ruling_pages.rulings(bp, desk)
    role_pages.roles(bp, desk)
    regulation_pages.rulebooks(bp, desk)
    paper_pages.papers(bp, desk)
    reference_pages.reference(bp, description)
    return bp
