"""The recorded figures: one JSON file, written by the programs that measure and read by the pages."""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from tests.bench.measure import Ratio

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "docs" / "figures.json"
_VERSIONS = ("gacrux", "kafka-python", "sqlalchemy")
Figure = dict[str, Any]


def read() -> dict[str, Any]:
    """Return the stored figures.

    ``measured``: one per benchmark. ``campaigns``: one per run. ``tables``: those of scale.md. ``efforts``: event -> job ->
    clicks, keys and characters of text.
    """
    stored = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {"measured": [], "campaigns": [], "tables": [], "efforts": {}} | stored


def record_ratio(ratio: Ratio) -> None:
    """Store a benchmark in place of the last one of that name.

    ``ARBITER_BBP_VERSION`` is the version of bbpPairings, which the program itself does not always report.
    """
    figures = read()
    beside_bbp = ratio.name.endswith("to bbpPairings")
    peer = os.environ.get("ARBITER_BBP_VERSION", "version unknown") if beside_bbp else ""
    row = {
        "name": ratio.name,
        "ours": _rounded(ratio.ours),
        "floor": _rounded(ratio.floor),
        "unit": ratio.unit,
        "ratio": _rounded(ratio.ratio),
        "turns": [_rounded(turn) for turn in ratio.turns],
        "required": ratio.required,
        **({"peer": peer} if peer else {}),
        **_circumstances(),
    }
    kept = [figure for figure in figures["measured"] if figure["name"] != ratio.name]
    _write({**figures, "measured": sorted([*kept, row], key=lambda figure: figure["name"])})


def record_campaign(name: str, number: int, seed: int, differences: int, **further: int) -> None:
    """Append the run of a campaign: how many cases from which seed, and how many differences they showed."""
    figures = read()
    row = {"name": name, "number": number, "seed": seed, "differences": differences, "further": [*further], **further}
    row |= _circumstances()
    _write({**figures, "campaigns": [*figures["campaigns"], row]})


def record_table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Store a table of deploy/docs/scale.md in place of the last one of that name."""
    figures = read()
    table = {"name": name, "columns": [*columns], "rows": [[*row] for row in rows], **_circumstances()}
    kept = [figure for figure in figures["tables"] if figure["name"] != name]
    _write({**figures, "tables": sorted([*kept, table], key=lambda figure: figure["name"])})


def record_efforts(event: str, jobs: Mapping[str, Sequence[int]]) -> None:
    """Store the clicks, keys and characters of text of an event's jobs in place of its last ones."""
    figures = read()
    efforts = figures["efforts"] | {event: {job: [*effort] for job, effort in jobs.items()}}
    _write({**figures, "efforts": dict(sorted(efforts.items()))})


def table(name: str) -> Figure | None:
    """Return the table of that name, or None if it was not measured."""
    return next((figure for figure in read()["tables"] if figure["name"] == name), None)


def largest_run(name: str) -> Figure | None:
    """Return the largest run of a campaign, the newest of equals, or None if none was recorded."""
    runs = [run for run in read()["campaigns"] if run["name"] == name]
    return max(reversed(runs), key=lambda run: run["number"], default=None)


def measured(name: str) -> Figure | None:
    """Return the benchmark of that name, or None if it was not measured."""
    return next((figure for figure in read()["measured"] if figure["name"] == name), None)


def _circumstances() -> Figure:
    """Return the date, the machine, its load (processes that run or wait, mean of one minute) and the versions."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{_processor()}, {os.cpu_count()} cores",
        "load": round(os.getloadavg()[0], 1),
        "versions": {"Python": python_version(), **{name: version(name) for name in _VERSIONS}},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown processor"
    )


def _rounded(value: float) -> float:
    """Return the value with four significant digits."""
    return float(f"{value:.4g}")


def _write(figures: dict[str, Any]) -> None:
    FILE.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
