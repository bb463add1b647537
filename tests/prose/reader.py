"""The texts of a file: docstrings, comments, messages and pages, each with its line."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FOLDERS = ("shared", "services", "deploy", "tests", ".github")
FILES = re.compile(r".+\.(?:py|md|html|toml|yml|yaml|conf|sh|example|properties)|Makefile|.*Dockerfile")
INTERFACES = frozenset({"deploy/openapi/arbiter.json", "deploy/asyncapi.yaml"})
"""Descriptions of interfaces. Only their texts are read, without examples."""
_TEXTS, _EXAMPLES = frozenset({"title", "summary", "description"}), frozenset({"example", "examples"})
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WRAP = re.compile(r"(?<!\n)\n(?![\n|*-])")
"""The end of a line within a paragraph."""
_SENTENCE = re.compile(r"[A-Za-z]{2}\S* +\S+ +\S")
"""A constant of at least three words is a text; a shorter one may be a key."""
_COMMENT = re.compile(r"(?:^|(?<=\s))# ?(.*)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ADOPTED = re.compile(r"shared/regulations/(?:parts/)?[^/]+\.toml")
"""Rulesets. Their strings are in the digests of logs and never change. `remarks.toml` has the printed words."""
_FROZEN = re.compile(r'^"(?:[^"\\]|\\.)*"(?= = )|\bsource = "(?:[^"\\]|\\.)*"')
"""A quoted key, and the source of an interpretation, which logs contain."""
_JINJA = re.compile(
    r"""\{%-?\s*trans\b[^%]*%\}(?P<trans>.*?)\{%-?\s*endtrans\s*-?%\}"""
    r"""|\b_\(\s*(?P<quote>['"])(?P<call>(?:(?!(?P=quote)).)*)(?P=quote)"""
    r"""|\{\#(?P<comment>.*?)\#\}""",
    re.DOTALL,
)
_PLURAL = re.compile(r"\{%-?\s*pluralize\b[^%]*%\}")


class Text(NamedTuple):
    """One text of a file. A mark may be on any line from ``line`` to ``last``."""

    line: int
    last: int
    words: str


def find_files(root: Path) -> list[Path]:
    """Return every file of the project that has prose, relative to ``root``."""
    found = [path for path in root.iterdir() if path.is_file() and not path.name.startswith(".")]
    for folder in FOLDERS:
        found += (path for path in (root / folder).rglob("*") if "__pycache__" not in path.parts)
    names = (path.relative_to(root) for path in found if FILES.fullmatch(path.name))
    return sorted({*names, *(Path(name) for name in INTERFACES if (root / name).is_file())})


def read_texts(name: Path, source: str) -> Iterator[Text]:
    """Yield the texts of a file. In tests, only docstrings and comments: their other strings quote the product."""
    if name.as_posix() in INTERFACES:
        return _read_interface(json.loads(source) if name.suffix == ".json" else yaml.load(source, _YAML))
    if name.suffix == ".md":
        return _read_markdown(source)
    if name.suffix == ".html":
        return _read_template(source)
    if name.suffix == ".py":
        return _read_python(source, constants=name.parts[0] != "tests")
    strings = name.suffix == ".toml" and name.parts[0] != "tests" and not _ADOPTED.fullmatch(name.as_posix())
    return _read_settings(source, strings)


def _read_interface(node: Any) -> Iterator[Text]:
    """Yield the titles, summaries and descriptions. They have no line: most files are generated."""
    if isinstance(node, dict):
        yield from (Text(0, 0, node[key]) for key in _TEXTS if isinstance(node.get(key), str))
        for key, value in node.items():
            if key not in _EXAMPLES:
                yield from _read_interface(value)
    elif isinstance(node, list):
        for value in node:
            yield from _read_interface(value)


def _read_markdown(source: str) -> Iterator[Text]:
    plain = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), source, flags=re.DOTALL)
    plain = re.sub(r"<!--.*?-->", lambda remark: "\n" * remark[0].count("\n"), plain, flags=re.DOTALL)
    for number, line in enumerate(re.sub(r"`[^`\n]*`", "`x`", plain).split("\n"), 1):
        yield Text(number, number, line)


def _read_template(source: str) -> Iterator[Text]:
    if "{%" not in source:
        yield from _read_static_page(source)
    for match in _JINJA.finditer(source):
        kind = "trans" if match["trans"] is not None else "call" if match["call"] is not None else "comment"
        line = source.count("\n", 0, match.start(kind)) + 1
        last = source.count("\n", 0, match.end()) + 1
        for part in _PLURAL.split(match[kind]):
            yield Text(line, last, _dedent(part))


def _read_static_page(source: str) -> Iterator[Text]:
    plain = re.sub(r"<(script|style)\b.*?</\1>", lambda part: "\n" * part[0].count("\n"), source, flags=re.DOTALL)
    plain = re.sub(r"<[^<>]*>", lambda tag: "\n" * tag[0].count("\n") or " ", plain)
    for number, line in enumerate(plain.split("\n"), 1):
        yield Text(number, number, line.strip())


def _read_settings(source: str, strings: bool) -> Iterator[Text]:
    lines = source.split("\n")
    for number, line in enumerate(lines, 1):
        if strings:
            for string in _STRING.findall(_FROZEN.sub("", line)):
                if _SENTENCE.search(string):
                    yield Text(number, number, string.strip('"'))
    yield from _read_comments([_STRING.sub('""', line) for line in lines], set())


def _read_python(source: str, constants: bool) -> Iterator[Text]:
    inside: set[int] = set()
    lines = source.split("\n")
    for node in _find_strings(ast.parse(source), lines, constants):
        words = _join(node)
        last = node.end_lineno or node.lineno
        if last > node.lineno:
            inside.update(range(node.lineno + 1, last + 1))
        if _SENTENCE.search(words):
            yield Text(node.lineno, last, _dedent(words))
    yield from _read_comments(lines, inside)


def _find_strings(tree: ast.AST, lines: list[str], constants: bool) -> Iterator[ast.expr]:
    """Yield the strings of a file: docstrings and other strings that are statements, and with ``constants`` all."""
    quotes = [0, *accumulate('"' in line or "'" in line for line in lines)]
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr) and quotes[node.end_lineno or 0] == quotes[node.lineno - 1]:
            continue  # most of the tree: lines without any string
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node
        elif isinstance(node, ast.JoinedStr):
            yield node
            waiting.extend(part for part in node.values if isinstance(part, ast.FormattedValue))
        elif constants or not isinstance(node, ast.expr):
            waiting.extend(ast.iter_child_nodes(node) if constants else _statements(node))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within a node, and its own string if it has nothing else."""
    if isinstance(node, ast.Expr):
        yield node.value
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, part, ())


def _join(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_join(part) if isinstance(part, ast.Constant) else "{x}" for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _dedent(words: str) -> str:
    """Return a text without indentation, with the same lines."""
    return re.sub(r"\n[ \t]+", "\n", words)


def _read_comments(lines: list[str], inside: set[int]) -> Iterator[Text]:
    """Yield the comments; lines that follow each other are one text. ``inside``: lines within a string."""
    start, words = 0, list[str]()
    for number, line in enumerate([*lines, ""], 1):
        comment = _COMMENT.search(line) if "#" in line and number not in inside else None
        if comment is not None and line.count('"', 0, comment.start()) % 2:
            comment = None  # the sign is inside a string
        whole = comment is not None and line.lstrip().startswith("#")
        if words and not whole:
            yield Text(start, number - 1, "\n".join(words))
            words = []
        if comment is not None and not whole:
            yield Text(number, number, comment[1])
        elif comment is not None:
            start = start if words else number
            words.append(comment[1])


def unwrap(words: str) -> str:
    """Return a text without line ends inside paragraphs, of the same length."""
    return _WRAP.sub(" ", words)
