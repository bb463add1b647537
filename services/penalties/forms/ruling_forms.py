"""The form of a ruling on a board: the rulebook searched, the facts that its article asks for, and what it would bring."""

from typing import Any

from flask import Blueprint, Response, request

from services.penalties.forms import form_readers
from services.penalties.forms.ruling_schemas import field_of
from services.penalties.layout import LAYOUT
from services.penalties.rules.rulings.infraction_search import reportable, search
from shared.core.readings import vocabulary
from shared.core.rulebook.books import citation
from shared.core.rulebook.effects import CHOSEN, EFFECTS, FACTS
from shared.core.rulebook.regulations import InfractionRule
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.http.language.language import words
from shared.web import previewed_form
from shared.web.board_seen import BoardSeen, board_form, board_seen
from shared.web.particulars import names_of
from shared.web.result_words import results_of
from shared.web.value_words import effect_words, infraction_name


def rulings(bp: Blueprint, desk: Desk) -> None:
    """Rulings from the board."""

    @LAYOUT.serves(bp, form_readers.RULING.address, form=True)
    def ruling_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        form = board_form(desk, LAYOUT, form_readers.RULING.permit, board, "ruling.html", **_context(desk, board))
        return previewed_form.respond(form, form_readers.RULING, {"t": t, "n": n, "b": b})


def _context(desk: Desk, board: BoardSeen) -> dict[str, Any]:
    """Return the variables of the form: the search, or the chosen infraction with its facts."""
    sent = request.form if request.method == "POST" else request.args
    name, typed = sent.get("infraction", ""), sent.get("q", "")
    rows = reportable(board.t)
    chosen = next((row for row in rows if row.name == name), None)
    looked = typed or ("" if chosen else name)
    context: dict[str, Any] = {
        "action": request.path,
        "looked": looked,
        "found": [_row(board.t, row) for row in search(rows, looked)] if chosen is None else [],
        "chosen": None if chosen is None else _row(board.t, chosen),
        "facts": [] if chosen is None else _facts(chosen),
        "effects": [(kind, words(EFFECTS[kind].words)) for kind in CHOSEN] if chosen and chosen.effect is None else [],
        "results": results_of(board.colours),
        "people": [],
    }
    if any(FACTS[rule.name] == "player" for rule in (chosen.facts if chosen else ())):
        context["people"] = sorted(names_of(desk, board.t, board.t.players).items())
    return context


def _row(t: Tournament, row: InfractionRule) -> dict[str, Any]:
    fixed = None if row.effect is None else words(effect_words(t.regulations, row.effect, row.counter))
    return {**row_words(row), "chinese": row.chinese, "cites": row.article, "effect": fixed}


def row_words(row: InfractionRule) -> dict[str, Any]:
    """Return an infraction by its ``name``, in words (in Chinese those of its rule text), with its article as a link."""
    named = words(infraction_name(row.name, row.chinese))
    return {"name": row.name, "words": named, "article": citation(row.article).message}


def _facts(row: InfractionRule) -> list[dict[str, Any]]:
    return [
        {
            "field": field_of(rule.name),
            "words": words(vocabulary.FACTS[rule.name]),
            "type": FACTS[rule.name],
            "required": rule.required,
            "article": citation(row.article_of(rule)).message,
        }
        for rule in row.facts
    ]
