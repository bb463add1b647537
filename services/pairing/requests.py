"""Bodies of requests as what the rules take: officials and entries."""

from typing import Any

from services.pairing.rules.commands import Appointment, Entry
from shared.core.language.handles import InvalidLoginName, login_name
from shared.http.common_problems import bad_fields
from shared.log.texts import Texts


def appointment(sent: dict[str, Any], texts: Texts) -> Appointment:
    """An official as sent, his name put beside the log."""
    return Appointment(sent["name"], sent["role"], texts.ref(sent["person"]), tuple(sorted(set(sent["boards"]))))


def handle_in_path(name: str) -> str:
    """The handle that a part of the address names. Raises `Problem` 422."""
    try:
        return login_name(name)
    except InvalidLoginName as problem:
        raise bad_fields({"name": [str(problem)]}) from None


def entry(sent: dict[str, Any], texts: Texts) -> Entry:
    """One of ``players`` as sent, what is personal of it put beside the log."""
    born = None if sent["birth_year"] is None else str(sent["birth_year"])
    return Entry(
        sent["id"],
        texts.required(sent["name"]),
        sent["rating"],
        sent["title"],
        texts.ref(sent["club"]),
        sent["federation"],
        texts.ref(sent["sex"]),
        texts.ref(born),
        texts.ref(sent["fide_id"]),
    )
