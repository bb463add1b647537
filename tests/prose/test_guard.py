"""The check of words finds banned phrases in every kind of text, and its baseline only falls."""

from pathlib import Path

import pytest

from tests.prose.findings import Finding
from tests.prose.guard import find_excess, find_faults, find_phrase_faults, format_findings, lower_counts
from tests.prose.marks import MOST, find_marks
from tests.prose.phrases import PHRASES

TEXTS = {
    "docstring": ("shared/a.py", '"""A page.\n\nIt is none of them."""\n', 3),
    "attribute": ("tests/a.py", 'SIZE = 3\n"""It is none of them."""\n', 2),
    "comment": ("tests/a.py", "SIZE = 3  # it is none of them\n", 1),
    "long comment": ("tests/a.py", "# A page and\n# is none of them.\n", 2),
    "message": ("services/a.py", 'say("the page {page} is none of them", page=1)\n', 1),
    "f-string": ("services/a.py", 'raise Failure(f"the page {page} is none of them")\n', 1),
    "option": ("deploy/a.py", 'option("--page", help="It is none of them.")\n', 1),
    "template": ("services/a.html", "{% if x %}\n{% trans n=x %}The page {{ n }} is none of them.{% endtrans %}\n", 2),
    "plural": (
        "services/a.html",
        "{% trans n=x %}One page{% pluralize %}\n{{ n }} pages are none of them{% endtrans %}",
        2,
    ),
    "attribute of a tag": ("services/a.html", "{% if x %}<a title=\"{{ _('It is none of them') }}\">", 1),
    "static page": ("deploy/docs/a.html", "<p>\nIt is none of them.</p>", 2),
    "Markdown": ("deploy/docs/a.md", "# A page\n\nIt is none of them.\n", 3),
    "TOML text": ("shared/a.toml", 'title = "the page is none of them"\n', 1),
    "OpenAPI": ("deploy/openapi/arbiter.json", '{"get": [{"summary": "The page is none of them"}]}', 0),
    "AsyncAPI": ("deploy/asyncapi.yaml", "info:\n  description: It is none of them.\n", 0),
    "setting": ("deploy/nginx.conf", "# This page is none of them.\n", 1),
}
NOT_READ = {
    "code in Markdown": ("a.md", "```\nis none\n```\n`is none`\n"),
    "string of a test": ("tests/a.py", 'assert page == "it is none of them"\n'),
    "comment inside a string": ("shared/a.py", 'TEXT = """\n# is none\n"""\n'),
    "comment inside a quoted line": ("tests/a.py", 'TEXT = "SIZE = 3  # it is none"\n'),
    "short string": ("shared/a.py", 'KEY = "is none"\n'),
    "example of an interface": ("deploy/openapi/arbiter.json", '{"examples": {"title": "is none of them"}}'),
    "string of a ruleset": ("shared/regulations/parts/a.toml", 'article = "it is none of them"\n'),
    "quoted key": ("shared/a.toml", '"it is none of them" = "it is not one of them"\n'),
    "source": ("shared/a.toml", '  { value = 0, source = "it is none of them" },\n'),
    "template without text": ("a.html", "{% if page is none %}{{ page }}{% endif %}"),
}
PLAIN = (
    "Return what changed, or None if the ruling does not exist.",
    "Who wins the game?",
    "Of course, the event is no longer in force.",
    "The folder where logs are stored; the default is `data`; it must exist.",
)
BANNED = {
    "free relative": "Who comes late is paired later.",
    "negated noun": "The file is no report.",
    "of first": "Of a team file the rounds are not checked.",
    "value first": "None: it is allowed.",
    "where for if": "The code is 1, where the rule is broken.",
    "archaic word": "The list is made anew.",
    "metaphor": "The result is told.",
    "he": "A player has lost his game.",
    "is to be": "The result is to be confirmed.",
    "chain": "A round is paired; it is played; it is reported; it is closed.",
}


def found(name: str, source: str) -> list[Finding]:
    return list(find_faults(Path(name), source, list(find_marks(source, name.endswith(".md")))))


@pytest.mark.parametrize("name, source, line", TEXTS.values(), ids=TEXTS)
def test_banned_phrase_is_found_on_its_line(name, source, line):
    assert [(one.file, one.line) for one in found(name, source)] == [(name, line)]


@pytest.mark.parametrize("name, source", NOT_READ.values(), ids=NOT_READ)
def test_code_is_not_read(name, source):
    assert found(name, source) == []


@pytest.mark.parametrize("sentence", PLAIN)
def test_plain_sentence_is_accepted(sentence):
    assert found("shared/a.py", f'"""{sentence}"""') == []


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.name)
def test_phrase_is_rejected(phrase):
    assert [one.remedy for one in found("a.md", BANNED[phrase.name])] == [phrase.remedy]


@pytest.mark.parametrize(
    "name, source",
    [
        ("shared/a.py", '"""The book says that\nit is none."""  # prose: ok: quotes the rulebook\n'),
        ("shared/a.py", '# prose: ok: quotes the rulebook\nTEXT = "the book is none of them"\n'),
        ("a.md", "It is none. <!-- prose: ok: quotes the rulebook -->\n"),
        ("a.html", "{% trans %}It is none of them{% endtrans %} {# prose: ok: quotes the rulebook #}"),
    ],
)
def test_marked_text_is_accepted(name, source):
    assert found(name, source) == []


@pytest.mark.parametrize(
    "source, fault",
    [
        ("SIZE = 3  # it is none  # prose: ok\n", "mark without a reason"),
        ("SIZE = 3  # it is one  # prose: ok: quotes the rulebook\n", "mark on a text without a banned phrase"),
    ],
)
def test_useless_mark_is_reported(source, fault):
    assert fault in [one.fault for one in found("shared/a.py", source)]


def test_marks_above_their_limit_are_reported(tmp_path):
    line = "It is none. <!-- prose: ok: quotes the rulebook -->\n"
    (tmp_path / "A.md").write_text(line * MOST)
    assert list(find_phrase_faults(tmp_path)) == []
    (tmp_path / "B.md").write_text(line)
    assert [one.fault for one in find_phrase_faults(tmp_path)] == ["61 marks `prose: ok`, of at most 60"]


def test_rise_is_reported_with_line_phrase_and_remedy():
    both = found("a.md", "It is none.\nIt is none.\n")
    assert find_excess(both, {"a.md": 2}) == []
    shown = "\n".join(format_findings(find_excess(both, {"a.md": 1})))
    assert 'a.md:2: negated noun "is none"' in shown
    assert "negate the verb" in shown


def test_baseline_falls_and_never_rises():
    before = {"a.py": 3, "b.py": 2, "c.py": 1}
    after = lower_counts({"a.py": 1, "b.py": 5, "d.py": 4}, before, ("a.py", "b.py", "c.py", "d.py"))
    assert after == {"a.py": 1, "b.py": 2}


def test_moved_file_keeps_its_allowance():
    assert lower_counts({"new.py": 4}, {"old.py": 3}, ["new.py"]) == {"new.py": 3}
