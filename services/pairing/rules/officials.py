"""Officials: who is in office, and who no longer is."""

from services.pairing.rules.commands import AppointOfficial, DismissOfficial
from shared.core.events import Decision, OfficialAppointed, OfficialDismissed
from shared.core.terms import ROLES, Refusal
from shared.core.tournament import Tournament


def appoint(t: Tournament, c: AppointOfficial) -> Decision | Refusal:
    """Put someone in office; a dismissed official is back in it. Refusals: ``unknown-role``, ``already-appointed``."""
    if c.role not in ROLES:
        return Refusal("invalid", "unknown-role", f"{c.role} is no role of a person", where="role")
    if t.officials.get(c.official) == c.role:
        return Refusal("rule", "already-appointed", f"{c.official} is {c.role} already")
    return Decision((OfficialAppointed(c.official, c.role),))


def dismiss(t: Tournament, c: DismissOfficial) -> Decision | Refusal:
    """Dismiss anyone who holds a token, appointed here or not. Refusal: ``already-dismissed``."""
    if c.official in t.dismissed:
        return Refusal("rule", "already-dismissed", f"{c.official} was dismissed on line {t.dismissed[c.official]}")
    return Decision((OfficialDismissed(c.official, c.reason),))
