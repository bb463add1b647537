"""Each service's page names its events and its resources: all of them."""

import json
import re
from pathlib import Path

import pytest

from shared.core.event_types.registry import EVENT_TYPES
from shared.core.terms import SOURCES

ROOT = Path(__file__).parents[2]
COMMON = {"/v1/openapi.json", "/v1/tournaments/{t}"}
SERVICES = {source.rpartition("/")[2]: source for source in SOURCES}


def page(service: str) -> str:
    return (ROOT / "services" / service / "README.md").read_text(encoding="utf-8")


def resources(service: str) -> set[str]:
    """Paths of the service's OpenAPI document, each parameter as {}."""
    paths = json.loads((ROOT / "deploy" / "openapi" / f"{service}.json").read_text(encoding="utf-8"))["paths"]
    return {shape(path) for path in paths if path not in COMMON}


def shape(path: str) -> str:
    """A path as pages and documents both write it: `…/rounds/{n}` and `/v1/tournaments/{t}/rounds/{n}` are one."""
    return re.sub(r"\{\w+\}", "{}", re.sub(r"^(?:…|/v1/tournaments/\{t\})(?=/)", "", path.partition("?")[0]))


@pytest.mark.parametrize("service", SERVICES)
def test_a_page_names_exactly_the_services_own_events(service):
    own = {row.data.__name__ for row in EVENT_TYPES if row.writers == (SERVICES[service],)}
    every = {row.data.__name__ for row in EVENT_TYPES if not row.everybody}
    words = set(re.findall(r"`([A-Z][A-Za-z]+)`", page(service)))
    assert own <= words
    assert (words & every) - own == set(), "another service's event"


@pytest.mark.parametrize("service", SERVICES)
def test_a_page_names_all_of_the_services_resources(service):
    told = {shape(p) for p in re.findall(r"(?:…|/v1/|(?<=`)/)[\w/{}.-]*", page(service)) if "/" in p}
    assert resources(service) - told == set()


@pytest.mark.parametrize("service", SERVICES)
def test_page_has_a_worked_request(service):
    assert re.search(r"^```", page(service), re.M)
