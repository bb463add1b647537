"""Nothing is left in English on a Chinese page: templates, and every page that a guest of a played tournament reaches."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from jinja2 import Environment, nodes

from deploy.catalogues import LANGUAGES, PACKAGES, read
from deploy.cli.main import run
from deploy.server.embedded import make_app
from shared.http.app import close
from shared.regulations import names

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(file for room in ("shared", "services") for file in (ROOT / room).rglob("*.html"))
WORD = re.compile(r"[A-Za-z]{4,}")
CODES = ("script", "style", "svg", "code", "samp", "kbd", "pre", "bdi")
"""Elements whose text is nobody's sentence: what programs read, and names."""
SPOKEN = ("title", "aria-label", "placeholder", "alt")
"""Attributes that people read or hear."""
KEPT = {
    "Arbiter": "the name of the program",
    "English": "the switch of languages names each in itself",
    "FIDE": "the name of the federation",
    "Excel": "the name of a program",
    "Ctrl": "a key",
    "rustworkx": "the name of an engine",
    "Buchholz": "a name; the books have it so beside 对手分",
    "Spring": "the tournament's own name, in two languages",
    "spring": "its id",
    "Expect": "the name of a header",
}
"""Words that stay, each with the reason."""
PEOPLE = frozenset(
    [
        "jing",
        "rivera",
        "solheim",
        "Jing",
        "Rivera",
        "Ingrid",
        "Solheim",
        "Marta",
        "Kowalczyk",
        "Nguy",
        "Jonas",
        "Lindqvist",
        "Girard",
    ]
)
CLUBS = frozenset(["Harbour", "Chess", "Club", "Northern", "Lights"])
"""Handles of officials, their names, and clubs: texts of people, as they wrote them."""


def both(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


SETS = "|".join(sorted(map(re.escape, names()), key=len, reverse=True))
VALUES = re.compile(
    rf"“[a-z0-9_]+”|(?<=：)[a-z_]+\b|\b[a-z]+(?:_[a-z]+)+\b|\b(?:true|false)\b|\b[0-9a-f]{{16,}}|\b(?:{SETS})\b"
)
"""Sets of regulations and their values as they are written in JSON, and digests."""


class Spoken(HTMLParser):
    """The texts of a page that people read, and its links."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self._codes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self._codes += tag in CODES
        self.texts += [said[name] or "" for name in SPOKEN if name in said]
        if tag == "a" and said.get("href"):
            self.links.append(said["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        self._codes -= tag in CODES

    def handle_data(self, data: str) -> None:
        if not self._codes:
            self.texts.append(data)


def words(texts: list[str]) -> list[str]:
    return [text.strip() for text in texts if set(WORD.findall(VALUES.sub("", text))) - set(KEPT) - PEOPLE - CLUBS]


def literal(template: str) -> str:
    """What a template says outside its ``trans`` and its expressions."""
    tree = Environment(extensions=["jinja2.ext.i18n"], autoescape=True).parse(template)
    parts: Iterator[nodes.Node] = tree.find_all((nodes.TemplateData, nodes.Output))
    return "".join(part.data if isinstance(part, nodes.TemplateData) else "" for part in parts)


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_template_says_nothing_beside_the_catalogue(file: Path):
    page = Spoken()
    page.feed(literal(file.read_text(encoding="utf-8")))
    assert words(page.texts) == []


def test_a_text_beside_the_catalogue_is_found():
    page = Spoken()
    page.feed(literal("<p title='{{ a }}'>{% trans %}Round{% endtrans %} <b>board</b> <code>move</code></p>"))
    assert words(page.texts) == ["board"]


TERMS = re.compile(r"`[^`]*`|%\(\w+\)s|\{\w+\}|<[^>]*>|https?://\S+|/\w[\w/{}.-]*")
"""What a translation has that is no word: code, places, tags, addresses."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_translation_keeps_of_the_english_is_a_code_or_a_name(language: str):
    """A word that is not in the English text either was forgotten there: it is no code of it."""
    left = []
    for domain in PACKAGES:
        for message in read(domain, language):
            english = set(WORD.findall(" ".join(both(message.id)))) if message.id else set()
            for translation in both(message.string) if message.id else ():
                spoken = TERMS.sub(" ", translation)
                if set(WORD.findall(spoken)) - english or (english and not re.search(r"[\u3000-\u9fff]", translation)):
                    left.append((domain, message.id, translation))
    assert [one for one in left if WORD.search(TERMS.sub(" ", str(one[2]))) and not coded(one[2])] == []


def coded(text: str) -> bool:
    """Whether what is left of a translation has no small letters, or is a name."""
    return all(word.isupper() or word in KEPT for word in WORD.findall(VALUES.sub(" ", TERMS.sub(" ", text))))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("chinese")
    assert run(["demo", "--data", str(folder)]) == 0
    app = make_app(folder)
    yield app.test_client()
    close(app)


def shape(path: str) -> str:
    return re.sub(r"\d+", "N", path.partition("?")[0])


def test_a_guest_reads_no_english_on_any_page(client):
    seen: dict[str, int] = {}
    left: dict[str, list[str]] = {}
    paths = ["/"]
    for path in paths:
        seen[shape(path)] = seen.get(shape(path), 0) + 1
        if seen[shape(path)] > 1:
            continue
        answer = client.get(path, headers={"Accept-Language": "zh-CN", "Accept": "text/html"})
        if not answer.mimetype.endswith("html"):
            continue
        assert answer.status_code in (200, 401, 403, 404, 503), path
        assert answer.headers["Content-Language"] == "zh-CN", path
        page = Spoken()
        page.feed(answer.get_data(as_text=True))
        if words(page.texts):
            left[path] = words(page.texts)
        links = (urljoin(path, link).partition("#")[0] for link in page.links)
        paths += [link for link in dict.fromkeys(links) if link.startswith("/") and link not in paths]
    assert left == {} and len(seen) > 40
