"""Copy the catalogue of sentences into the page that verifies a log: `python -m deploy.build.verify_page`.

The page works offline and is one file, so it has its own copy. The hashes of its content security policy are renewed too.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from services.standings.descriptions import announcement, games, pairing
from services.standings.descriptions import words as standings_words
from shared.core.language.messages import Message
from shared.core.readings import claims, vocabulary
from shared.core.rulebook.effects import EFFECTS
from shared.core.rulebook.terminations import TERMINATIONS
from shared.http.language.catalogue import CHINESE, catalogue
from shared.web.value_words import ENGLISH_INFRACTIONS

PAGE = Path(__file__).parents[1] / "docs" / "verify.html"
_CATALOGUE = re.compile(r"(?<=// begin of the catalogue\n).*?(?=// end of the catalogue\n)", re.DOTALL)
_SENTENCE = re.compile(r'\bm\("((?:[^"\\]|\\.)*)"|\blinked\([^\n]*?, "((?:[^"\\]|\\.)*)"\)')
TABLES: Mapping[str, Mapping[Any, Message]] = {
    "games": vocabulary.GAMES,
    "formats": vocabulary.FORMATS,
    "roles": vocabulary.ROLES,
    "byes": vocabulary.BYES,
    "facts": vocabulary.FACTS,
    "findings": vocabulary.FINDINGS,
    "claims": vocabulary.CLAIMS,
    "counters": vocabulary.COUNTERS,
    "rungs": vocabulary.RUNGS,
    "infractions": ENGLISH_INFRACTIONS,
    "effects": {kind: row.words for kind, row in EFFECTS.items()},
    "terminations": {name: row.words for name, row in TERMINATIONS.items()},
    "members": pairing.ENTRY_MEMBERS,
    "details": announcement.DETAILS,
    "stages": {name: said for name, said in standings_words.STAGES.items() if name},
    "withdrawals": games.WITHDRAWALS,
}
"""The names of the members of closed sets that sentences contain."""


def with_catalogue(page: str) -> str:
    """Return the page with the catalogue and the hashes of its script and style.

    Raises LookupError if a sentence of the page is not one of the product.
    """
    translate = catalogue(CHINESE).gettext
    script = _CATALOGUE.sub("", page)
    sentences = {json.loads(f'"{one or link}"') for one, link in _SENTENCE.findall(script)}
    names = {table: {code: said.text for code, said in rows.items()} for table, rows in TABLES.items()}
    texts = sentences | {text for rows in names.values() for text in rows.values()}
    chinese = {text: translate(text) for text in sorted(texts)}
    missing = [text for text, said in chinese.items() if said == text and re.sub(r"{\w+}", "", text).strip(" –:,;()")]
    if missing:
        raise LookupError(f"not a sentence of the product, or without Chinese: {missing}")
    chinese = {text: said for text, said in chinese.items() if said != text}
    written = (
        "const NAMED = {\n"
        + "".join(f"  {table}: {_json(rows)},\n" for table, rows in names.items())
        + f"  nobody: {_json({'accused': sorted(claims.ACCUSING_NOBODY)})},\n}};\n"
        + "const CHINESE = {\n"
        + "".join(f"  {_json(text)}: {_json(said)},\n" for text, said in chinese.items())
        + "};\n"
    )
    return _with_hashes(_CATALOGUE.sub(lambda _: written, page))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def _with_hashes(page: str) -> str:
    for tag in ("script", "style"):
        content = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL)[0]
        hashed = b64encode(sha256(content.encode()).digest()).decode()
        before, after = re.split(rf"(?<={tag}-src 'sha256-)[^']*", page, maxsplit=1)
        page = before + hashed + after
    return page


if __name__ == "__main__":
    PAGE.write_text(with_catalogue(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
