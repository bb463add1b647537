"""Problems in the words of a page: without the terms of the API, and with the labels of a form instead of field names."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.vocabulary import ROLES
from shared.http.language import language
from shared.http.language.catalogue import ENGLISH
from shared.http.language.library_sentences import library_sentence
from shared.http.problems import Problem

PAGE_WORDS: Mapping[str, Message | None] = {
    "the error of each field is listed under errors": None,
    "errors lists the first {most} fields that are wrong": say("only the first {most} are listed"),
    "see errors": None,
    "Missing data for required field.": say("this field is required"),
    "Must be greater than or equal to {min} and less than or equal to {max}.": say("must be from {min} to {max}"),
    "Bad cursor": say("No such page of the list"),
    "the cursor is invalid; copy it unchanged from the next link of a page": say(
        "open the list again and follow its links"
    ),
    "not a cursor": None,
    "Bad query": say("The address has a wrong value"),
    "{name} must be a whole number, at least {low}": None,
    "{name} must be a whole number from {low} to {high}": None,
    "send a token: Authorization: Bearer …": say("log in first"),
    "Invalid token": say("Your login is not valid"),
    "the value is not a token": say("paste a whole invitation link, or ask for a new invitation"),
    "the token has expired": say("it has expired: ask for a new invitation"),
    "the token was revoked": say("it was ended: ask for a new invitation"),
    "A token of another tournament": say("Your login is for another tournament"),
    "this token is for {tournament} only": say("it is for {tournament} only"),
    "{name} does not hold the role {role} in {id}, although the token states it; {who} may "
    "appoint: POST /v1/tournaments/{id}/officials": say(
        "{name} is not appointed as {role} in {id}; these officials may appoint: {who}"
    ),
    "Idempotency-Key was used before": say("This form was already sent with other content"),
    "this Idempotency-Key was already used with a different request body": say("check it, then send it again"),
}
"""Template of a title or detail -> the message that a page shows instead, with the same facts, or None for nothing."""
FIELD_LABELS: Mapping[str, Message] = {
    "at": say("Event"),
    "begins": say("First day"),
    "birth_year": say("Year of birth"),
    "board": say("Board"),
    "boards": say("Boards"),
    "by": say("Appellant"),
    "byo_yomi": say("Byo-yomi: seconds per move"),
    "cells": say("A list"),
    "change": say("Changed values"),
    "changes": say("Changed values"),
    "claim": say("Claim"),
    "clock": say("Clock"),
    "club": say("Club"),
    "conditions": say("Teams, groups, matches"),
    "days": say("Days"),
    "difference": say("Pairing"),
    "effect": say("Effect"),
    "encoding": say("Encoding"),
    "ends": say("Last day"),
    "entry": say("Board and result"),
    "equals": say("Shared place"),
    "federation": say("Federation"),
    "fide_id": say("FIDE ID"),
    "national_id": say("National ID or licence"),
    "public_history": say("Consents to public history"),
    "file": say("File"),
    "format": say("Format"),
    "game": say("Game"),
    "grounds": say("Grounds"),
    "id": say("Address"),
    "infraction": say("Infraction"),
    "kind": say("Bye"),
    "match": say("Match"),
    "minutes": say("Minutes"),
    "move": say("Move"),
    "name": say("Name"),
    "note": say("Note"),
    "officials": say("Officials"),
    "person": say("Name"),
    "place": say("Place"),
    "player": say("Player concerned"),
    "players": say("Players"),
    "ply": say("Half-move"),
    "points": say("Points"),
    "rating": say("Rating"),
    "reason": say("Why"),
    "regulations": say("Regulations"),
    "regulations_file": say("Own regulations"),
    "result": say("Result"),
    "role": say("Role"),
    "round": say("Round"),
    "rounds": say("Number of rounds"),
    "seconds": say("Seconds"),
    "sex": say("Sex"),
    "side": say("Player concerned"),
    "squares": say("Squares touched, in order"),
    "stages": say("Stages"),
    "starting_number": say("Starting number"),
    "teams": say("Teams"),
    "tiebreaks": say("Tie-breaks"),
    "time": say("Time of a game"),
    "time_zone": say("Time zone"),
    "title": say("Title"),
    "token": say("Invitation link"),
    "turn": say("Turn"),
    "type": say("Event type"),
    "upheld": say("The committee decides"),
    "url": say("Address of the receiver"),
}
"""Name of a form's field -> its label."""
_PATH = re.compile(r"[.:]")
_CODE = re.compile(r"[a-z]+(_[a-z]+)+")
_GAME_ID = re.compile(r".+\.\d+\.(\d+)")


def page_words(said: Message | str | None) -> Message | str | None:
    """Return a problem's title or detail as a page shows it, or None if it shows nothing."""
    if not isinstance(said, Message):
        return said
    own = PAGE_WORDS.get(said.text, said)
    return None if own is None else Message(own.text, _facts_in_words(said))


def _facts_in_words(said: Message) -> dict[str, MessageFact]:
    return {name: _fact_in_words(name, fact) for name, fact in said.facts.items()}


def _fact_in_words(name: str, fact: MessageFact) -> MessageFact:
    """Return a role, a code or the ID of a game as people call it. Other facts are unchanged."""
    match fact:
        case Message() if fact.text in ROLES:
            return ROLES[fact.text]
        case Message() if _CODE.fullmatch(fact.text) and language.language() == ENGLISH:
            return say("{text}", text=fact.text.replace("_", " "))
        case Message():
            return Message(fact.text, _facts_in_words(fact))
        case tuple():
            return tuple(_fact_in_words(name, one) for one in fact)
        case str() if name == "game" and (found := _GAME_ID.fullmatch(fact)):
            return say("the game on board {number}", number=int(found[1]))
    return fact


def field_label(name: str, own: Mapping[str, str]) -> str:
    """Return the label of a field, ``own`` labels of the form first. A field without a label has its name."""
    first = _PATH.split(name)[0]
    for one in (name, first):
        if one in own:
            return own[one]
        if one in FIELD_LABELS:
            return language.words(FIELD_LABELS[one])
    return name


def errors_of(problem: Problem | None) -> dict[str, list[str]]:
    """Return the errors of each field, as lists of sentences."""
    errors = problem.extra.get("errors") if problem is not None else None
    if not isinstance(errors, dict):
        return {}
    listed = {str(name): list(sentences_of(wrong)) for name, wrong in errors.items()}
    return {name: sentences for name, sentences in listed.items() if sentences}


def sentences_of(wrong: Any) -> Iterator[str]:
    """Yield the sentences of an error, whose values may be nested by the places in a list."""
    if isinstance(wrong, dict):
        wrong = list(wrong.values())
    if isinstance(wrong, list | tuple):
        for one in wrong:
            yield from sentences_of(one)
        return
    said = page_words(wrong if isinstance(wrong, Message) else library_sentence(str(wrong)))
    if isinstance(said, Message):
        yield language.words(said)
