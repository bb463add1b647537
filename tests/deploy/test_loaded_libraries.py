"""The libraries that commands on files load. Each of these takes longer to import than the command takes to answer."""

import subprocess
import sys

import pytest

SERVER = {"flask", "werkzeug", "jinja2", "marshmallow", "gunicorn", "structlog", "httpx"}
DATABASE = {"sqlalchemy", "alembic", "psycopg", "kafka"}
OTHERS = {"chess", "tabulate"}


@pytest.mark.parametrize(
    ("modules", "libraries"),
    [
        (("audit.verify", "audit.replay", "event.judge"), SERVER | DATABASE | OTHERS),
        (("files.standings", "files.pair", "files.check", "files.simulate"), SERVER | DATABASE | OTHERS),
        (("audit.log", "audit.checkpoint", "event.token"), {"httpx", "sqlalchemy", "alembic", "psycopg", "structlog"}),
    ],
)
def test_a_command_loads_only_what_it_needs(modules: tuple[str, ...], libraries: set[str]):
    names = ["deploy.cli.main", *(f"deploy.cli.verbs.{name}" for name in modules)]
    code = f"import {', '.join(names)}, deploy.server.rules, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "deploy.server.rules" in loaded
    assert libraries.isdisjoint(loaded)
