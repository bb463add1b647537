"""The figures of the pages are those that were measured: `make docs` writes them from deploy/docs/figures.json."""

import re

import pytest

from tests.figures import clicks, dependencies
from tests.figures.pages import PERFORMANCE, READMES, SCALE, performance, readme_rows, with_figures, with_tables
from tests.figures.store import read


def test_the_performance_page_is_made_from_the_stored_figures():
    assert PERFORMANCE.read_text(encoding="utf-8") == performance(), "run `make docs`"


def test_page_on_clicks_is_made_from_the_counts_of_known_jobs():
    assert clicks.CLICKS.read_text(encoding="utf-8") == clicks.page(), "run `make docs`"
    assert {job for efforts in read()["efforts"].values() for job in efforts} <= clicks.JOBS.keys()


def test_no_job_takes_more_clicks_and_keys_than_with_other_programs():
    for event, efforts in read()["efforts"].items():
        for job, (presses, keys, _) in efforts.items():
            most = clicks.JOBS[job].most
            assert most is None or presses + keys <= most, (event, job)


def test_the_tables_of_the_page_on_scale_are_the_stored_ones():
    text = SCALE.read_text(encoding="utf-8")
    assert with_tables(text) == text, "run `make docs`"
    assert all(f"<!-- table {one['name']} -->" in text for one in read()["tables"])


@pytest.mark.parametrize("language", READMES)
def test_the_figures_of_a_readme_are_the_stored_ones(language):
    text = READMES[language].read_text(encoding="utf-8")
    assert with_figures(text, language) == text, "run `make docs`"
    assert "<!-- figures -->" in text and readme_rows(language)


def test_the_readmes_have_the_same_figures():
    numbers = [re.findall(r"\d[\d,.]*\d|\d", "".join(readme_rows(language)).replace("二", "2")) for language in READMES]
    assert sorted(numbers[0]) == sorted(numbers[1])


def test_each_figure_has_its_date_machine_load_and_versions():
    figures = read()
    for one in (*figures["measured"], *figures["campaigns"], *figures["tables"]):
        assert {"date", "machine", "load", "versions"} <= one.keys(), one["name"]


def test_each_direct_dependency_has_one_reason_and_its_version():
    written = re.sub(r"[\d.]+ \|$", "", dependencies.PAGE.read_text(encoding="utf-8"), flags=re.M)
    assert written == re.sub(r"[\d.]+ \|$", "", dependencies.page(), flags=re.M), "run `make docs`"
    assert list(dependencies.REASONS) == dependencies.direct()
