"""Bodies of requests as values of the rules: officials and entries."""

from typing import Any

from services.pairing.rules.commands import CorrectEntry, Entry, StateIdentity
from services.pairing.rules.entries.entry_correction import CORRECTABLE
from services.pairing.rules.entries.identity import IDENTITY
from shared.core.events import IdentityStated, OfficialAppointed
from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.state.tournament import TournamentState
from shared.core.terms import Actor, PlayerId, TextRef
from shared.desk.desk import Desk
from shared.http.common_problems import bad_fields
from shared.log.texts import Texts


def appointment(sent: dict[str, Any], texts: Texts) -> OfficialAppointed:
    """Return an official as sent, with the name stored outside the log."""
    return OfficialAppointed(sent["name"], sent["role"], texts.ref(sent["person"]), tuple(sorted(set(sent["boards"]))))


def handle_in_path(name: str) -> str:
    """Return the handle that a part of the address names. Raises `Problem` 422."""
    try:
        return login_name(name)
    except InvalidLoginName as problem:
        raise bad_fields({"name": [str(problem)]}) from None


def entry(sent: dict[str, Any], texts: Texts) -> Entry:
    """Return one of ``players`` as sent, with personal data stored outside the log."""
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
        texts.ref(sent["national_id"]),
        sent["public_history"],
    )


TEXTS = ("name", "club", "sex", "birth_year", "fide_id", "national_id")
"""Members of an entry that are texts that can be erased."""


def entry_correction(
    desk: Desk, t: TournamentState | None, actor: Actor, player: PlayerId, sent: dict[str, Any], texts: Texts
) -> CorrectEntry:
    """Return the command with the members of ``sent`` among `CORRECTABLE`, its ``starting_number`` and its ``reason``."""
    reason = texts.required(sent["reason"])
    values = _entry_values(desk, t, player, {name: sent[name] for name in CORRECTABLE if name in sent}, texts)
    return CorrectEntry(actor, player, values, reason, sent["starting_number"])


def identity(
    desk: Desk, t: TournamentState | None, actor: Actor, player: PlayerId, sent: dict[str, Any], texts: Texts
) -> StateIdentity:
    """Return the command with the members of ``sent`` among `IDENTITY`. Those that are missing keep their value."""
    reason = texts.ref(sent["reason"])
    entry = None if t is None else t.players.get(player)
    before = {} if entry is None else {name: getattr(entry, name) for name in IDENTITY}
    values = _entry_values(desk, t, player, {name: sent[name] for name in IDENTITY if name in sent}, texts)
    return StateIdentity(actor, IdentityStated(player, **before | values, reason=reason))


def _entry_values(
    desk: Desk, t: TournamentState | None, player: PlayerId, values: dict[str, Any], texts: Texts
) -> dict[str, Any]:
    """Return new values of an entry, of which texts are stored outside the log.

    A text that equals the entry's text is the same text: no other one is stored for it.
    """
    entry = None if t is None else t.players.get(player)
    refs: dict[str, TextRef | None] = {name: getattr(entry, name, None) for name in TEXTS if name in values}
    said = desk.texts({ref.text for ref in refs.values() if ref is not None})
    for name, ref in refs.items():
        text = None if values[name] is None else str(values[name])
        known = said.get(ref.text) if ref is not None else None
        same = ref is not None and (known.text if known is not None else None) == text
        values[name] = ref if same else texts.ref(text)
    return values
