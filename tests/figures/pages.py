"""Writes performance.md and clicks.md of deploy/docs, and the figures of scale.md and both READMEs: `python -m tests.figures`."""

import re
from collections.abc import Iterator

from tests.figures import clicks
from tests.figures.store import ROOT, largest_run, measured, read, table

PERFORMANCE = ROOT / "deploy" / "docs" / "performance.md"
SCALE = ROOT / "deploy" / "docs" / "scale.md"
READMES = {"en": ROOT / "README.md", "zh-CN": ROOT / "README.zh-CN.md"}
_BETWEEN = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.S)
_TABLE = re.compile(r"<!-- table (.+?) -->\n.*?<!-- end of table -->", re.S)

HEAD = """# Performance

`make bench` measures each part of Arbiter and a peer or floor in turn, in the same run. The floor is the least work
that could give the same answer, for example decoding each event without applying it. `make campaign` plays
random cases and counts the differences from the expected result. These programs store their figures in
[figures.json](figures.json); `make docs` writes this page and the tables of the READMEs from that file.

A ratio above 1 means that Arbiter is faster than the peer or floor. The ratio is the median of the turns, with the
lowest and the highest in the next column. Load is the number of processes that ran or waited on average during the minute
before the figure was stored. A load above the number of cores means that the machine was busy, so rates are lower
bounds. A benchmark without a stored figure is not listed.

The campaign *histories* plays random tournaments. It annuls rulings, and compares the state with the same tournament
without these rulings. The campaign *formats* plays random competitions of every format and of every pair of stages. After
each event it compares results, ranks and outdated pairings with a second implementation. A difference would be an error.
"""


def write_pages() -> None:
    """Write the pages on performance and on clicks, the tables of scale.md and the figures of both READMEs."""
    PERFORMANCE.write_text(performance(), encoding="utf-8")
    clicks.CLICKS.write_text(clicks.page(), encoding="utf-8")
    SCALE.write_text(with_tables(SCALE.read_text(encoding="utf-8")), encoding="utf-8")
    for language, page in READMES.items():
        page.write_text(with_figures(page.read_text(encoding="utf-8"), language), encoding="utf-8")


def with_figures(text: str, language: str) -> str:
    """Return a README with its rows of figures replaced by the stored ones."""
    return _BETWEEN.sub(lambda _: "".join(row + "\n" for row in readme_rows(language)), text)


def with_tables(text: str) -> str:
    """Return scale.md with its tables replaced by the stored ones. A table that was not measured says so."""
    return _TABLE.sub(
        lambda found: "\n".join((f"<!-- table {found[1]} -->", *_table(found[1]), "<!-- end of table -->")), text
    )


def _table(name: str) -> Iterator[str]:
    found = table(name)
    if found is None:
        yield f'The table *{name}* was not measured: `python -m tests.bench.scale "{name}"`.'
        return
    yield from (f"| {' | '.join(row)} |" for row in (found["columns"], ["---"] * len(found["columns"]), *found["rows"]))
    yield ""
    load = "" if found["load"] is None else f", load {found['load']:g}"
    yield f"Measured on {found['date']}, {found['machine']}{load}."


def performance() -> str:
    """Return the performance page in Markdown."""
    return "\n".join((HEAD, *_benchmarks(), "", *_campaigns(), "", *_machines())) + "\n"


_ROWS = {
    "en": {
        "pairing": "Pair round 2 of {field} players (FIDE Dutch) | {ours} s of CPU | bbpPairings: {theirs} s",
        "tie-breaks": "Read a file of 1,000 players and compute 11 tie-breaks | {ours} ms of CPU | gacrux: {theirs} ms",
        "audit": "Audit: re-evaluate every decision | {ours} events/s | floor, hashes and replay only: {theirs} events/s",
        "histories": "State after an annulment, compared with a tournament without the ruling "
        "| {number} random tournaments, {wrong} differences | no peer known",
        "faults": "Processes killed or stopped, networks cut, disks full | {number} faults, {wrong} events lost or doubled "
        "| no peer known",
        "web processes": "Writes over HTTP by 1, 2 and 4 web processes, each held to a fifth of a core "
        "| {rates} writes/s | 1 process: 1; these: {ratios} times as many",
    },
    "zh-CN": {
        "pairing": "编排 {field} 名棋手的第二轮（国际棋联荷兰制） | 处理器时间 {ours} 秒 | bbpPairings：{theirs} 秒",
        "tie-breaks": "读取 1,000 名棋手的文件并计算 11 种破同分 | 处理器时间 {ours} 毫秒 | gacrux：{theirs} 毫秒",
        "audit": "审计：重新作出每项裁决 | 每秒 {ours} 个事件 | 下限（只核对哈希值并重放）：每秒 {theirs} 个",
        "histories": "撤销判罚后的状态，与从未作出该判罚的赛事比较 | 随机赛事 {number} 项，差异 {wrong} 处 | 未见同类程序",
        "faults": "写入时进程被杀死或停住、网络中断、磁盘写满 | 故障 {number} 次，丢失或重复的事件 {wrong} 个 | 未见同类程序",
        "web processes": "1、2、4 个网页进程经 HTTP 写入，每个限用五分之一个处理器核心 "
        "| 每秒 {rates} 次 | 1 个进程为 1；这些分别为其 {ratios} 倍",
    },
}
"""The rows of figures by language."""


def readme_rows(language: str) -> list[str]:
    """Return the table rows with figures, each for a benchmark or campaign that was recorded."""
    return [f"| {_ROWS[language][name].format(**facts)} |" for name, facts in _recorded()]


def _recorded() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row that has figures, by its name, with the texts of the figures."""
    field = next((size for size in ("2,000", "1,000") if measured(f"round 2 of {size}, to bbpPairings")), None)
    if field and (found := measured(f"round 2 of {field}, to bbpPairings")):
        yield "pairing", {"field": field, "ours": _seconds(found["ours"]), "theirs": _seconds(found["floor"])}
    if found := measured("11 tie-breaks of 1,000 players, to gacrux"):
        yield "tie-breaks", {"ours": _number(1000 / found["ours"]), "theirs": _number(1000 / found["floor"])}
    if found := measured("audit, engine pairings apart"):
        yield "audit", {"ours": _number(found["ours"]), "theirs": _number(found["floor"])}
    for name in ("histories", "faults"):
        if run := largest_run(name):
            yield name, {"number": f"{run['number']:,}", "wrong": f"{run['differences']:,}"}
    if found := table("web processes"):
        rates, ratios = (", ".join(row[column] for row in found["rows"]) for column in (1, 2))
        yield "web processes", {"rates": rates, "ratios": ratios}


def _benchmarks() -> Iterator[str]:
    yield "## Benchmarks\n"
    yield "| benchmark | ours | peer or floor | unit | ratio | from - to | date | load |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in read()["measured"]:
        peer = f" ({one['peer']})" if "peer" in one else ""
        yield (
            f"| {one['name']} | {_number(one['ours'])} | {_number(one['floor'])}{peer} | {one['unit']} | {one['ratio']:g} "
            f"| {min(one['turns']):g} - {max(one['turns']):g} | {one['date']} | {one['load']:g} |"
        )


def _campaigns() -> Iterator[str]:
    yield "## Campaigns\n"
    yield "| campaign | cases | first seed | differences | further figures | date | load |"
    yield "|---|---|---|---|---|---|---|"
    for run in read()["campaigns"]:
        further = ", ".join(f"{name.replace('_', ' ')}: {run[name]:,}" for name in run["further"])
        yield (
            f"| {run['name']} | {run['number']:,} | {run['seed']} | {run['differences']:,} | {further} "
            f"| {run['date']} | {run['load']:g} |"
        )


def _machines() -> Iterator[str]:
    """Yield the machines and versions, each with the dates on which it measured."""
    yield "## Machines and versions\n"
    yield "| dates | machine | versions |"
    yield "|---|---|---|"
    dates: dict[tuple[str, str], set[str]] = {}
    for one in (*read()["measured"], *read()["campaigns"], *read()["tables"]):
        versions = ", ".join(f"{name} {number}" for name, number in one["versions"].items())
        dates.setdefault((one["machine"], versions), set()).add(one["date"])
    for (machine, versions), days in dates.items():
        yield f"| {', '.join(sorted(days))} | {machine} | {versions} |"


def _seconds(rate: float) -> str:
    return _number(1 / rate)


def _number(value: float) -> str:
    """Return a figure with at most three significant digits below 1,000, and grouped thousands from there."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
