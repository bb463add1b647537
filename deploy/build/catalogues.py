"""The catalogues of other languages: collected from the source, updated, compiled (``make messages``, ``make setup``).

One ``.po`` a package of the source, so that people who work on two do not meet; all of a language make one ``.mo``.
"""

import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from shared.core import terms
from shared.core.events.games import FindingKind
from shared.core.events.sheets import Claim
from shared.core.readings.authority import ACTS, RULEBOOK_ACTS
from shared.core.rulebook.formats import Format
from shared.core.rulebook.game_rules import RULES
from shared.core.terms import AuditKind, Verdict
from shared.trf.model.columns import Measure

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "shared" / "web" / "locale"
LANGUAGES = ("zh_CN",)
PACKAGES = {
    "audit": "shared/audit",
    "core": "shared/core",
    "signing": "shared/signing",
    "wire": "shared/wire",
    "trf": "shared/trf",
    "desk": "shared/desk",
    "http": "shared/http",
    "log": "shared/log",
    "regulations": "shared/regulations",
    "web": "shared/web",
    "pairing": "services/pairing",
    "games": "services/games",
    "penalties": "services/penalties",
    "standings": "services/standings",
    "deploy": "deploy",
}
"""Domain -> the folder whose texts it has."""
CODES: tuple[str, ...] = (
    *get_args(Measure),
    *get_args(terms.Role),
    *get_args(terms.Side),
    *get_args(terms.Place),
    *get_args(terms.TeamKind),
    *get_args(Format),
    *get_args(Claim),
    *get_args(FindingKind),
    *ACTS,
    *(act.replace("_", " ") for act in RULEBOOK_ACTS),
    *(role.replace("_", " ") for role in terms.ROLES),
    *RULES,
    *get_args(AuditKind),
    *get_args(Verdict),
    "arrival",
    "break",
)
"""Members of closed sets that messages contain through `shared.core.language.messages.term`. They are texts of ``core``."""
_METHODS = [("**.py", "python"), ("**.html", "jinja2")]
_OPTIONS = {"**.html": {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
_KEYWORDS = {"say": None, "_": None, "gettext": None, "ngettext": (1, 2)}
_KEPT_HEADERS = ("Language", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Plural-Forms")


def folder(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES"


def collected(domain: str, language: str = LANGUAGES[0]) -> Catalog:
    """Return the texts that the source of a domain currently contains, without translations."""
    catalogue = Catalog(locale=language, domain=domain)
    for _, _, text, _, context in extract_from_dir(ROOT / PACKAGES[domain], _METHODS, _OPTIONS, _KEYWORDS):
        catalogue.add(text, context=context)
    if domain == "regulations":
        # Imported only here, because `setup.py` compiles catalogues through this module, and only Babel is installed then.
        from deploy.build.regulation_texts import regulation_texts

        for text in regulation_texts():
            catalogue.add(text)
    if domain == "deploy":
        from deploy.cli.main import cli
        from deploy.cli.terminal.help_texts import PLURALS_OF_CLICK, texts

        for text in texts(cli):
            catalogue.add(text)
        for plural in PLURALS_OF_CLICK:
            catalogue.add(plural)
    for code in dict.fromkeys(CODES if domain == "core" else ()):
        catalogue.add(code)
    return catalogue


def read(domain: str, language: str) -> Catalog:
    """Return a catalogue as stored in its file, or an empty one if the file does not exist."""
    file = folder(language) / f"{domain}.po"
    if not file.exists():
        return Catalog(locale=language, domain=domain)
    with file.open("rb") as content:
        return read_po(content, locale=language, domain=domain, abort_invalid=True)


def update(domain: str, language: str) -> None:
    """Bring a ``.po`` up to date: texts that are new without a translation, texts that went left out."""
    catalogue = read(domain, language)
    catalogue.update(collected(domain, language), no_fuzzy_matching=True)
    catalogue.fuzzy = False
    file = folder(language) / f"{domain}.po"
    if not len(catalogue):
        file.unlink(missing_ok=True)
        return
    written = io.BytesIO()
    write_po(written, catalogue, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(_lasting(written.getvalue().decode())), encoding="utf-8")


def _lasting(text: str) -> Iterator[str]:
    """Yield the lines of a ``.po`` file except comments and headers that change in every run."""
    for line in text.splitlines(keepends=True):
        header = re.match(r'"([\w-]+): ', line)
        if not line.startswith("# ") and line != "#\n" and (header is None or header[1] in _KEPT_HEADERS):
            yield line


def compile_language(language: str) -> None:
    """Write one ``.mo`` file with all domains of a language.

    The file is replaced atomically, so that a concurrent reader never sees an incomplete one.
    """
    whole = Catalog(locale=language)
    for domain in PACKAGES:
        for message in read(domain, language):
            if message.id and message.string and not message.fuzzy:
                whole.add(message.id, message.string, context=message.context)
    made = folder(language) / f"arbiter.mo.{os.getpid()}"
    made.parent.mkdir(parents=True, exist_ok=True)
    with made.open("wb") as file:
        write_mo(file, whole)
    made.replace(folder(language) / "arbiter.mo")


def compile_all() -> None:
    for language in LANGUAGES:
        compile_language(language)


def main() -> None:
    """``update`` brings every catalogue up to date; then, and without it, they are compiled."""
    if sys.argv[1:] == ["update"]:
        for language in LANGUAGES:
            for domain in PACKAGES:
                update(domain, language)
    compile_all()


if __name__ == "__main__":
    main()
