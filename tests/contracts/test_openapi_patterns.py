"""The patterns of the OpenAPI and AsyncAPI documents, which clients in JavaScript read as we do in Python."""

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from deploy.build.openapi_build import FOLDER
from tests.programs import program
from tests.yaml_files import ASYNCAPI, document

UNION = FOLDER / "arbiter.json"
NODE = """
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const told = asked.map(([pattern, texts]) => texts.map((text) => new RegExp(pattern, "u").test(text)));
process.stdout.write(JSON.stringify(told));
"""
"""JSON Schema has ECMA-262's patterns, read by code points and searched for."""
STRANGE = ("", "\n", " ", "x", "٣", "é", "\u2028", "\ufeff", "𝟘", "İ")


def patterns(part: Any) -> Iterator[str]:
    match part:
        case dict():
            for name, value in part.items():
                if name == "pattern" and isinstance(value, str):
                    yield value
                yield from patterns(value)
        case list():
            for one in part:
                yield from patterns(one)


def of_documents() -> list[str]:
    documents = (json.loads(UNION.read_text(encoding="utf-8")), document(ASYNCAPI))
    return sorted({one for document in documents for one in patterns(document)})


def as_python(pattern: str) -> re.Pattern[str]:
    """``$`` is the end of the text in JSON Schema, and in Python before a last line break too."""
    return re.compile(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern)


def texts(pattern: re.Pattern[str]) -> list[str]:
    """Some that fit, the same with something wrong about them, and strange ones."""
    fitting: list[str] = []

    @settings(max_examples=8, derandomize=True, database=None, deadline=None)
    @given(st.from_regex(pattern))
    def collect(text: str) -> None:
        fitting.append(text)

    collect()
    near = [near for one in fitting for near in (one + "\n", "\n" + one, one[1:], one[:-1], one + one, one.swapcase())]
    return [*STRANGE, *fitting, *near, *(one + strange for one in fitting[:3] for strange in STRANGE)]


def in_node(asked: list[tuple[str, list[str]]]) -> list[list[bool]]:
    ran = subprocess.run(
        [program("node"), "-e", NODE], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    told: list[list[bool]] = json.loads(ran.stdout)
    return told


def differing(found: list[str]) -> list[tuple[str, str]]:
    asked = [(pattern, texts(as_python(pattern))) for pattern in found]
    return [
        (pattern, text)
        for (pattern, sent), told in zip(asked, in_node(asked), strict=True)
        for text, fits in zip(sent, told, strict=True)
        if fits is not (as_python(pattern).search(text) is not None)
    ]


def test_every_pattern_of_the_documents_is_read_alike_in_javascript():
    found = of_documents()
    assert len(found) > 10
    assert differing(found) == []


def test_a_pattern_that_is_read_otherwise_would_be_seen():
    assert {pattern for pattern, _ in differing([r"^\d+$", r"^\w+$", "^[a-z]+$"])} == {r"^\d+$", r"^\w+$"}
