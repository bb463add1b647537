"""The standings service: its routes and pages on a desk."""

from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint

from services.standings.audit import room as audit_room
from services.standings.audit.audits import Audits
from services.standings.closing import room as closing_room
from services.standings.files import room as files_room
from services.standings.files.archives import Archives
from services.standings.log import room as log_room
from services.standings.papers import room as papers_room
from services.standings.previews import room as previews_room
from services.standings.rounds import room as rounds_room
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rulebook import room as rulebook_room
from services.standings.rules.preview import Preview
from services.standings.tables import room as tables_room
from services.standings.webhooks import room as webhooks_room
from shared.audit.checkpoints.note import NoNotes, SignedNotes
from shared.core.terms import STANDINGS
from shared.desk.desk import Desk
from shared.http.commands import write_routes
from shared.http.commands.key_routes import lost_key
from shared.http.commands.previews import Previews
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
    notes: SignedNotes = NO_NOTES,
    webhook_networks: Sequence[Network] = (),
) -> Blueprint:
    """All routes of the service, as in its README.

    ``audits`` decide a log again, ``previews`` tell what a command would bring: they know every service's rules, which no
    service does. ``archives`` packs a whole event, which the page in the file ``verifier`` verifies. ``notes``: what was
    signed and cosigned before. ``webhook_networks``: where webhooks may lead though it is not public.
    """
    bp = Blueprint("standings", __name__)
    write_routes.register(bp, desk, (LOST_KEY,))
    crossings = OpenCrossings(desk, audits)
    tables_room.register(bp, desk)
    files_room.register(bp, desk, archives, notes)
    log_room.register(bp, desk, previews)
    audit_room.register(bp, desk, notes, audits, archives, verifier)
    closing_room.register(bp, desk, audits, notes)
    webhooks_room.register(bp, desk, webhook_networks)
    previews_room.register(bp, desk, previews)
    rounds_room.register(bp, desk, crossings)
    rulebook_room.register(bp, desk)
    papers_room.register(bp, desk)
    return bp
