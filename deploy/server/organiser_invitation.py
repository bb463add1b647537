"""Invitations of the operator for an organiser of all tournaments, and the one that a server in an empty folder prints."""

import os
import secrets
import stat
import time
from typing import TextIO

from services.pairing.access.invitations import DAYS, organiser_invitation
from shared.log.invitations import EVERY_TOURNAMENT
from shared.log.port import Log
from shared.signing.service_keys import ServiceKeys

FIRST = "organiser"
"""Login name of the first organiser."""


def invite_organiser(log: Log, keys: ServiceKeys, name: str = FIRST, days: int = DAYS) -> str:
    """Return the path of the link of a new invitation, whose session may create tournaments for ``days`` days.

    Unused invitations of the same name for all tournaments are withdrawn. ``name``: a valid login name.
    """
    code, row = organiser_invitation(keys, name, days, secrets.token_hex(16), int(time.time()))
    log.invitations.withdraw_all(EVERY_TOURNAMENT, name)
    log.invitations.invite(row)
    return f"/invitations/{code}"


def needs_organiser(log: Log) -> bool:
    """Return whether a log has no tournament, and no organiser is logged in who could create one."""
    if log.streams("tournaments/", most=1):
        return False
    sessions = log.invitations.sessions(EVERY_TOURNAMENT, int(time.time()))
    return not any(one.tournament is None and one.role == "organiser" for one in sessions)


def is_recorded(stream: TextIO) -> bool:
    """Return whether an output is kept: it is a file, or systemd's journal, which sets ``JOURNAL_STREAM``."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # an output without a file descriptor is not kept by the system
        return False
    journal = os.environ.get("JOURNAL_STREAM", "")
    return stat.S_ISREG(found.st_mode) or journal == f"{found.st_dev}:{found.st_ino}"
