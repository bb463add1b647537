"""Nothing is left in English on a Chinese page: templates, and every page that a guest of a played tournament reaches."""

import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from jinja2 import Environment, nodes

from deploy.build.catalogues import LANGUAGES, PACKAGES, read
from deploy.cli.main import run
from deploy.server.embedded import make_app
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
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
    "TOML": "the name of a format",
    "tiaoqi": "an example of a name in pinyin",
    "XLSX": "the name of a format",
    "JSON": "the name of a format",
    "Excel": "the name of a program",
    "Kafka": "the name of a program",
    "PostgreSQL": "the name of a program",
    "Python": "the name of a program",
    "SQLite": "the name of a program",
    "Ctrl": "a key",
    "pass": "the rulebook’s own word, quoted",
    "rustworkx": "the name of an engine",
    "Buchholz": "a name; the books have it so beside 对手分",
    "Spring": "the tournament's own name, in two languages",
    "spring": "its id",
    "Expect": "the name of a header",
    "deploy": "in the path of a file",
    "docs": "in the path of a file",
    "verify": "in the name of a file, verify.html",
    "html": "in the name of a file, verify.html",
    "OpenAPI": "the name of a format",
    "curl": "the name of a program",
    "Shell": "the name of a kind of program",
    "lang": "the name of an attribute",
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


TERMS = re.compile(r"`[^`]*`|--[a-z][a-z-]*|%\(\w+\)s|\{\w+\}|<[^>]*>|https?://\S+|/\w[\w/{}.-]*")
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
    app = make_app(folder, Limits(audit_seconds=600, preview_seconds=600))  # a busy machine is slow
    yield app.test_client()
    close(app)


ENGLISH = ("/docs", "/problems")
"""The reference of the API: the document and the problem codes are in English, and marked so (`test_reference`)."""


def shape(path: str) -> str:
    return re.sub(r"\d+", "N", path.partition("?")[0])


@pytest.fixture(scope="module")
def pages(client) -> dict[str, str]:
    """Each kind of page that a guest reaches, by its address."""
    seen: set[str] = set()
    found: dict[str, str] = {}
    paths = ["/"]
    for path in paths:
        if shape(path) in seen or path.startswith(ENGLISH):
            continue
        seen.add(shape(path))
        answer = client.get(path, headers={"Accept-Language": "zh-CN", "Accept": "text/html"})
        if not answer.mimetype.endswith("html") or path.endswith(".html"):  # the verifier is a file
            continue
        assert answer.status_code in (200, 401, 403, 404, 503), path
        assert answer.headers["Content-Language"] == "zh-CN", path
        found[path] = answer.get_data(as_text=True)
        page = Spoken()
        page.feed(found[path])
        links = (urljoin(path, link).partition("#")[0] for link in page.links)
        paths += [link for link in dict.fromkeys(links) if link.startswith("/") and link not in paths]
    assert len(seen) > 40
    return found


def test_a_guest_reads_no_english_on_any_page(pages):
    left = {}
    for path, text in pages.items():
        page = Spoken()
        page.feed(text)
        if words(page.texts):
            left[path] = words(page.texts)
    assert left == {}


class Citations(HTMLParser):
    """What a page says of articles outside links, and the places that its links lead to."""

    NO_LINK = ("option", "title", "script", "style")

    def __init__(self) -> None:
        super().__init__()
        self.bare: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.ids |= {said["id"] or ""} if "id" in said else set()
        if tag in ("a", *self.NO_LINK):
            assert "a" not in self._within, f"a link within a link: {said}"
            self._within.append(tag)
            self.links += [said["href"] or ""] if tag == "a" and "href" in said else []

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            self._within.remove(tag)

    def handle_data(self, data: str) -> None:
        if not self._within and re.search(r"第[\d.]+条|《[^》]*规则》", data):
            self.bare.append(data.strip())


def citations_of(text: str) -> Citations:
    page = Citations()
    page.feed(text)
    return page


RULEBOOKS = re.compile(r"^(/t/[^/]+)?/regulations(/[^/?]+)?$")
"""The pages that articles lead to: they have the places."""


def test_every_article_on_every_page_leads_to_its_place_in_the_rulebook(client, pages):
    places: dict[str, set[str]] = {}
    bare, nowhere = {}, {}
    for path, text in pages.items():
        page = citations_of(text)
        if "/papers" not in path and not RULEBOOKS.match(path.partition("?")[0]) and page.bare:
            bare[path] = page.bare
        for link in page.links:
            target, _, place = urljoin(path, link).partition("#")
            if not place or not RULEBOOKS.match(target.partition("?")[0]):
                continue
            if target not in places:
                answer = client.get(target, headers={"Accept-Language": "zh-CN"})
                places[target] = citations_of(answer.get_data(as_text=True)).ids
            if unquote(place) not in places[target]:
                nowhere[path] = link
    assert (bare, nowhere) == ({}, {}) and places


def test_paper_has_the_words_of_an_article_alone(pages):
    papers = {path: citations_of(text) for path, text in pages.items() if re.search(r"/papers/", path)}
    assert any(page.bare for page in papers.values())
    assert not [path for path, page in papers.items() for link in page.links if "/regulations#" in link]


VOID = ("br", "hr", "img", "input", "link", "meta", "source", "wbr")


class Unmarked(HTMLParser):
    """The texts of a page that stand in no element that says their language."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._within = 0
        self._tags: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        within = tag in ("title", "option", "script", "style", "code", "pre", "samp") or (
            tag == "bdi" and "lang" in dict(attrs)
        )
        if tag in VOID:
            return
        self._within += within
        self._tags.append((tag, self._within))

    def handle_endtag(self, tag: str) -> None:
        while self._tags:
            opened, _ = self._tags.pop()
            if opened == tag:
                break
        self._within = self._tags[-1][1] if self._tags else 0

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.texts.append(data)


SAMPLES = [
    tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "deploy" / "cli" / "demo" / "sample").glob("*.toml"))
]
NAMES = {one["name"] for one in SAMPLES} | {player["name"] for one in SAMPLES for player in one["players"]}


def test_every_name_on_every_page_says_its_language(pages):
    left = {}
    for path, text in pages.items():
        page = Unmarked()
        page.feed(text)
        bare = [said.strip() for said in page.texts for name in NAMES if name in said]
        if bare:
            left[path] = bare
    assert left == {}


def test_the_audit_says_why_in_the_readers_language(client):
    path, said = "/v1/tournaments/spring-cup/audit", {}
    for language in ("zh-CN", "en"):
        headers = {"Accept-Language": language}
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        assert "Accept-Language" in answer.headers["Vary"]
        said[language] = list(answer.get_json()["remarks"])
    assert said["en"] == ["events not yet sealed by a root hash"]
    assert said["zh-CN"] and words(said["zh-CN"]) == []
    page = client.get("/t/spring-cup/audit", headers={"Accept-Language": "en"}).text.partition('id="remarks"')[2]
    assert f"<li>{answer.get_json()['uncovered']} × {said['en'][0]}</li>" in page
    assert 'href="/t/spring-cup/verify">A signed checkpoint also covers the last events.</a>' in page
