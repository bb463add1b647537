"""The form of entries: one typed player, or a pasted or uploaded sheet, which is displayed before it is entered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing import requests
from services.pairing.entries.entry_columns import COLUMNS, IGNORED, UNNAMED
from services.pairing.entries.entry_file import EncodingAsked, sent_file, text_of_file
from services.pairing.entries.entry_rows import Known, RowRead, columns_wrong, mark_doubles, read_row
from services.pairing.entries.entry_sheet import BadSheet, as_text, cells_of
from services.pairing.entries.sheet_parts import recognised
from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from shared.core.language.messages import Message, say
from shared.core.readings.concern import Concern
from shared.core.terms import Actor
from shared.core.values.bounds import ENTRY
from shared.desk.desk import Desk, View
from shared.http.common_problems import bad_fields
from shared.http.operations import TABLE
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import require_permit
from shared.http.requests import auth
from shared.log.texts import Texts
from shared.web.form import Form, back_to, refused
from shared.web.particulars import names_of, particulars_of

LONGEST_SHEET = 1_000_000
_SHOWN = 8
"""Number of entries that the form shows: the last ones."""
ENTER = RULES.permit(co.EnterPlayers)


class EntryForm(Schema):
    """One player, as typed: a text for each of `COLUMNS`. ``same`` is as in `SheetForm`."""

    name = fields.String(required=True)
    title = rating = club = federation = sex = birth_year = fide_id = national_id = public_history = id = same = (
        fields.String()
    )


class SheetForm(Schema):
    """A sheet as it was shown: its cells, whether the first row is a header, and the content of each column.

    ``same``: players with equal name and club are different people.
    """

    cells = fields.String(required=True, validate=validate.Length(1, LONGEST_SHEET))
    head = fields.String()
    column = fields.Raw()
    same = fields.String()
    confirm = fields.String()


@dataclass(frozen=True, slots=True)
class SheetRead:
    """A sheet as the form shows it. ``read_as``: the encoding of a file, empty for a pasted sheet.

    ``left_out``: the rows above the header and below the list. ``ignored``: the unknown headings.
    """

    text: str
    head: bool
    header: list[str]
    columns: list[str]
    rows: list[RowRead]
    wrong: list[Message]
    read_as: str = ""
    left_out: Sequence[str] = ()
    ignored: Sequence[str] = ()

    @property
    def good(self) -> int:
        return sum(row.entry is not None for row in self.rows)

    @property
    def doubles(self) -> int:
        return sum(row.double is not None for row in self.rows)


def entries(bp: Blueprint, desk: Desk) -> None:
    """Register the form that enters players."""

    @LAYOUT.serves(bp, "/t/<t>/entries", form=True, cost=TABLE)
    def entries_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        _ = view.tournament  # without regulations there is nothing to enter by
        if "name" in request.form:
            return _one(desk, view)
        if request.method == "POST":
            return _sheet(desk, view)
        return _form(desk, view).shown()


def _one(desk: Desk, view: View) -> Response:
    """Enter one typed player."""

    names = [column.name for column in COLUMNS]
    row = read_row(1, [request.form.get(name, "").strip() for name in names], names, view.tournament.announced.game)

    def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.EnterPlayers:
        if row.entry is None:
            raise bad_fields({names[n]: told for n, told in row.wrong.items()})
        return co.EnterPlayers(actor, (requests.entry(row.entry, texts),))

    def check(seen: View, command: Any) -> None:
        _refuse_doubles(desk, seen, [row], same="same" in request.form)

    return _form(desk, view, check=check, one="yes").respond(EntryForm, make)


def _sheet(desk: Desk, view: View) -> Response:
    """Show a sheet as it is read, or enter it as it was shown."""
    try:
        require_permit(desk, view.state.id, auth.require(view.state.id), ENTER)
        sheet = _read(desk, view)
    except EncodingAsked as asked:
        problem = Problem(422, "bad-sheet", say("Choose the encoding of the file"), asked.why)
        return _form(desk, view, asked=asked).shown(problem)
    except BadSheet as problem:
        return _form(desk, view).shown(Problem(422, "bad-sheet", say("The list cannot be read"), problem.why))
    except Problem as problem:
        return refused(problem, _form(desk, view).shown)
    form = _form(
        desk, view, sheet, lambda seen, command: _refuse_doubles(desk, seen, sheet.rows, "same" in request.form)
    )
    if "confirm" not in request.form:
        return form.shown()

    def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.EnterPlayers:
        bad = sum(row.entry is None for row in sheet.rows)
        if sheet.wrong or bad:
            raise Problem(
                422, "bad-sheet", say("Nothing was entered"),
                sheet.wrong[0] if sheet.wrong else say("{count} rows are wrong; each error is shown below", count=bad),
            )  # fmt: skip
        entered = (dict(row.entry) for row in sheet.rows if row.entry is not None)
        return co.EnterPlayers(actor, tuple(requests.entry(one, texts) for one in entered))

    return form.respond(SheetForm, make)


def _read(desk: Desk, view: View) -> SheetRead:
    text, read_as = request.form.get("cells", ""), ""
    file = sent_file()
    if file is not None:
        text, read_as = text_of_file(file)
    if len(text) > LONGEST_SHEET:
        raise BadSheet(say("the list must not have more than {most} characters", most=LONGEST_SHEET))
    rows = cells_of(text)
    parts = recognised(rows)
    head, columns = parts.head, parts.columns
    chosen = request.form.getlist("column")
    if len(chosen) == len(rows[0]) and not read_as:
        head, columns = "head" in request.form, chosen
        parts = parts._replace(above=[], below=[], ignored=[])
    else:
        rows = parts.rows
    body = rows[1 if head else 0 :]
    game = view.tournament.announced.game
    read = [read_row(n, cells, columns, game) for n, cells in enumerate(body, 2 if head else 1)]
    if not body:
        raise BadSheet(say("the file contains only a header"))
    mark_doubles(read, _known(desk, view))
    header = rows[0] if head else [""] * len(columns)
    left_out = (*parts.above, *parts.below)
    return SheetRead(
        as_text(rows), head, header, columns, read, columns_wrong(columns), read_as, left_out, parts.ignored
    )


def _known(desk: Desk, view: View) -> list[Known]:
    t = view.state
    names, said = names_of(desk, t, t.players), particulars_of(desk, t)
    return [Known(p, names.get(p, ""), said[p].club or "", said[p].fide_id or "") for p in t.players]


def _refuse_doubles(desk: Desk, view: View, rows: list[RowRead], same: bool) -> None:
    """Raise `Problem` 409 if a player is listed or entered twice.

    A player who only shares name and club with another is accepted with ``same``.
    """
    for row in rows:
        row.double, row.certain = None, False
    mark_doubles(rows, _known(desk, view))
    found = [row for row in rows if row.double is not None and (row.certain or not same)]
    if found:
        row = found[0]
        raise Problem(
            409, "player-doubled", say("A player is listed twice"),
            say("row {number}, {name}: {why}", number=row.number, name=(row.entry or {}).get("name", ""), why=row.double or ""),
            doubled=True,
        )  # fmt: skip


def _form(
    desk: Desk,
    view: View,
    sheet: SheetRead | None = None,
    check: Callable[[View, Any], None] | None = None,
    asked: EncodingAsked | None = None,
    **shown: str,
) -> Form:
    """Return the form. ``shown``: query of the next page; ``one`` opens the fields of one player."""
    t = view.state

    def context() -> dict[str, Any]:
        last = list(t.players)[-_SHOWN:]
        return {
            "columns": COLUMNS,
            "choices": (*((c.name, c.title) for c in COLUMNS), (IGNORED, say("ignore"))),
            "unnamed": UNNAMED,
            "sheet": sheet,
            "asked": asked,
            "last": [(p, t.players[p], names_of(desk, t, [p]).get(p)) for p in reversed(last)],
            "most": ENTRY.high,
        }

    back = back_to("entries_form", "players_page", t=t.id, **shown)
    return Form(desk, LAYOUT, ENTER, view, "entries.html", Concern(), back, context, check)
