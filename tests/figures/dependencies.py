"""Writes deploy/docs/dependencies.md: each direct dependency with its reason, version and size."""

import re
import tomllib
from importlib.metadata import distribution

from tests.figures.store import ROOT

PAGE = ROOT / "deploy" / "docs" / "dependencies.md"
REASONS = {
    "alembic": "migrates the databases from one release to the next",
    "apispec": "writes OpenAPI from marshmallow schemas",
    "chess": "rules, positions and PGN moves of chess",
    "click": "parses the command line and writes its help",
    "cryptography": "Ed25519 keys of checkpoints and tokens, and key files",
    "flask": "routes and requests of the HTTP API and the pages",
    "flask-compress": "compresses responses",
    "gacrux": "pairs by FIDE's Dutch system of 2026",
    "gunicorn": "HTTP server with worker processes",
    "httpx": "HTTP client of arbiter-client, witnesses and `arbiter --url`",
    "httpx-sse": "reads event streams in arbiter-client",
    "jinja2": "templates of the pages",
    "kafka-python": "Kafka client, with CRC32C in C",
    "marshmallow": "checks request bodies and reports each invalid field",
    "msgspec": "decodes and encodes events as typed objects",
    "openpyxl": "reads spreadsheets of entries",
    "prometheus-client": "metrics at `/metrics`",
    "psycopg": "PostgreSQL client, with COPY in binary",
    "py4swiss": "compiled matching for gacrux; FIDE's Dutch system of 2017 for old files and logs",
    "pyjwt": "signed tokens",
    "pynacl": "signs and checks records in half the time of cryptography",
    "pypinyin": "sorts Chinese names by pinyin",
    "rfc8785": "canonical JSON of rulesets, which are hashed",
    "rustworkx": "maximum-weight matching of campus and team pairings",
    "segno": "QR codes of invitations and result slips",
    "sgfmill": "reads and writes SGF game files",
    "sqlalchemy": "the same SQL for SQLite and PostgreSQL",
    "standardwebhooks": "signatures of webhooks",
    "structlog": "JSON log of the servers",
    "tabulate": "tables of the command line, with wide characters and wrapped cells",
    "uuid-utils": "UUIDs of version 7, ordered by time",
    "wcwidth": "width of Chinese characters on a terminal",
}
HEAD = """# Dependencies

This page is for contributors and auditors. It lists the packages that Arbiter imports. Each has one reason. `make lock`
pins them and the packages they need, with hashes, in `requirements.lock`. `make docs` writes this page.

The distribution is named `arbiter-federation`, because `arbiter` on PyPI is a different package. It is not published
there. Its wheel contains the packages `shared`, `services` and `deploy`, so install it in a virtual environment of its
own.

Sizes are those of the installed package without the packages that it needs, on Linux and x86-64.

| package | version | reason | size, MB |
|---|---|---|---|
"""


def direct() -> list[str]:
    """Return the names of the direct dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[^\w.-]", requirement)[0] for requirement in project["dependencies"]]


def page() -> str:
    """Return the page in Markdown."""
    return HEAD + "".join(f"| {name} | {_version(name)} | {REASONS[name]} | {_size(name):.1f} |\n" for name in direct())


def _version(name: str) -> str:
    locked = re.search(rf"^{re.escape(name)}(?:\[\w+\])?==(\S+)", (ROOT / "requirements.lock").read_text(), re.M)
    return locked[1] if locked else ""


def _size(name: str) -> float:
    """Return the size of an installed package, in MB."""
    return sum(file.size or 0 for file in distribution(name).files or ()) / 1e6


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
