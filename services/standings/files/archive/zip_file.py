"""An archive made of what stands in the log: the same bytes for the same event, whoever asks."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from services.standings.files.archive import contents as c
from services.standings.files.archive.contents import About
from shared.core.readings.claims import instant
from shared.core.state.tournament import TournamentState
from shared.core.trust.merkle import leaf_hash, root
from shared.desk.desk import SOFTWARE
from shared.desk.replay import evolve_line

_WHAT = {
    "README.txt": ("this text", "本说明"),
    "archive.json": ("which event, how many lines, their root", "哪项赛事、多少行、根摘要"),
    "missing.txt": ("what this archive lacks, and why", "本存档缺少什么，以及原因"),
    "log.ndjson": ("the log: every decision, a line each", "日志：每项决定一行"),
    "sheets.ndjson": ("the score sheets, line by line", "对局记录，逐行"),
    "texts.ndjson": ("names and what was written, under the hashes that the log names", "姓名与文字，按日志中的摘要"),
    "names.json": (
        "only names and personal data; no hash proves them",
        "仅有姓名等个人资料，没有摘要可以证明",
    ),
    "checkpoint.txt": (
        "the signed checkpoint of these lines (C2SP signed note)",
        "这些行的签名检查点（C2SP signed note）",
    ),
    "cosigned.txt": ("an earlier checkpoint that witnesses cosigned", "由见证方会签的较早检查点"),
    "arbiter.vkey": ("the public keys of the operator that signs checkpoints", "签署检查点的运维方的公钥"),
    "services.vkey": ("the public keys of the signatures of lines, from the log", "日志所载、签署各行的公钥"),
    "regulations.json": ("the complete regulations in force", "所用规则全文"),
    "standings.json": ("the standings", "成绩表"),
    "standings.csv": ("the standings, for spreadsheets", "成绩表（电子表格）"),
    "crosstable.json": ("the cross table", "循环对照表"),
    "crosstable.csv": ("the cross table, for spreadsheets", "循环对照表（电子表格）"),
    "teams.json": ("the team standings", "团体成绩表"),
    "teams.csv": ("the team standings, for spreadsheets", "团体成绩表（电子表格）"),
    "tournament.trf": ("FIDE's report file, edition 16", "国际棋联成绩文件 TRF16"),
    "tournament.trf26": ("FIDE's report file, edition 26", "国际棋联成绩文件 TRF26"),
}
_TEXT = """Arbiter: an event to take home / 赛事存档

Tournament / 赛事    {about.tournament}
Lines / 行数         {about.seq}
Root / 根摘要        {about.root}
Made by / 软件版本   Arbiter {about.software}

Files / 文件
{files}
To verify it
  arbiter verify THIS.zip
reads every line and re-evaluates every decision by the regulations in the log. It compares the score sheets, the
texts, the checkpoint and each table with the log. Exit codes: 0 if all agrees, 1 if something differs (it reports
the line), 3 if something is missing, 2 if the file cannot be read.
The keys in this archive prove nothing by themselves: its author chose them. Get the key from the operator, and the
checkpoint from a witness, a printed sheet or another copy, and add them:
  arbiter verify THIS.zip --key house.vkey --checkpoint kept.txt --digest SEQ:HEX
Two programs check lines, roots, signatures and checkpoints without Arbiter's code. The page verify.html
(deploy/docs of Arbiter, opened from the disk) and the program verify-go read this ZIP:
  verify-go THIS.zip
Both also accept receipts and keys of witnesses (verify-go -quorum N: N witnesses must have cosigned; default: all).

验证方法
  arbiter verify 本文件.zip
逐行读取日志，按日志中的规程重新裁决每一项，并核对记录纸、文本、检查点和各表。退出码：0 一致；1 有不符（指出哪一行）；
3 有缺少；2 文件无法读取。
存档里的公钥由制作者选定，本身不能证明什么。请另从运维方取得公钥，从见证方、打印件或另一份存档取得检查点，一并给出：
  arbiter verify 本文件.zip --key house.vkey --checkpoint kept.txt --digest SEQ:HEX
不用我们的程序也可核对各行、根摘要、签名和检查点：从本地打开 Arbiter 的 deploy/docs/verify.html，选取本文件即可；或运行
  verify-go 本文件.zip
两者也接受回执和见证方公钥（verify-go -quorum N：其中须有 N 家会签，默认全部）。
"""


def readme(about: About, names: Sequence[str]) -> str:
    """Return the text for an archive that contains these files."""
    return _filled(_TEXT, {name: " / ".join(what) for name, what in _WHAT.items()}, about, names)


def expected_readme(about: About, names: Sequence[str]) -> str | None:
    """Return the text that the version of the archive wrote, or None if that version is unknown."""
    if about.software == SOFTWARE:
        return readme(about, names)
    if about.software not in _FORMER:
        return None
    text = (_FORMER_TEXTS / f"readme-{about.software}.txt").read_text("utf-8")
    return _filled(text, json.loads((_FORMER_TEXTS / f"files-{about.software}.json").read_bytes()), about, names)


def _filled(text: str, what: Mapping[str, str], about: About, names: Sequence[str]) -> str:
    width = max(map(len, names))
    return text.format(about=about, files="".join(f"  {name:{width}}  {what[name]}\n" for name in names))


_FORMER = ("1.0.0",)
"""Former versions of the software whose texts differ from those of this version."""
_FORMER_TEXTS = Path(__file__).parent / "former"
_FIRST_YEAR, _LAST_YEAR = 1980, 2107
"""That a zip can name."""


class Given(NamedTuple):
    """What an archive is made of. ``lines`` of the log, ``sheets`` by game (None: not at hand) with what of them ``missing``
    says is not there; ``texts`` as NDJSON (None: not for this reader); ``names`` by hash; the signed ``checkpoint`` of these
    lines and an older one that was ``cosigned`` (empty: there is none); the ``house``'s verifier keys; the ``software``.
    """

    tournament: str
    lines: Sequence[bytes]
    sheets: Mapping[str, Sequence[bytes]] | None
    missing: tuple[str, ...]
    texts: bytes | None
    names: Mapping[str, str]
    checkpoint: str
    cosigned: str
    house: str
    software: str


def archive_of(given: Given) -> bytes:
    """The archive as a zip. Raises as `evolve_line`."""
    t = TournamentState(given.tournament)
    events = [event for seq, line in enumerate(given.lines, 1) if (event := evolve_line(t, line, seq)) is not None]
    hash = root([leaf_hash(line) for line in given.lines]).hex()
    about = c.About(given.tournament, len(given.lines), hash, given.software)
    files = _evidence(given, t)
    files |= c.derived(t, c.names_among(files))
    files[c.ABOUT] = json.dumps(about.as_json(), ensure_ascii=False, indent=1).encode() + b"\n"
    files[c.README] = readme(about, [name for name in c.FILES if name == c.README or name in files]).encode()
    return _zip(files, _date(events[-1].time if events else ""))


def _evidence(given: Given, t: TournamentState) -> dict[str, bytes]:
    files = {c.LOG: b"".join(line + b"\n" for line in given.lines), c.SERVICE_KEYS: c.service_keys(t)}
    missing = list(given.missing)
    if given.sheets is not None:
        files[c.SHEETS] = b"".join(line + b"\n" for game in sorted(given.sheets) for line in given.sheets[game])
        begun = {id for id, game in t.games.items() if game.started is not None}
        missing += [f"{c.SHEETS}: the score sheet of {game}" for game in sorted(begun - given.sheets.keys())]
    if given.texts is None:
        files[c.NAMES] = json.dumps(dict(sorted(given.names.items())), ensure_ascii=False, indent=1).encode() + b"\n"
        missing.append(c.WITHHELD)
    else:
        files[c.TEXTS] = given.texts
    if given.checkpoint:
        files[c.CHECKPOINT] = given.checkpoint.encode()
    if given.cosigned:
        files[c.COSIGNED] = given.cosigned.encode()
    files[c.HOUSE_KEYS] = given.house.encode()
    if missing:
        files[c.MISSING] = "".join(f"{one}\n" for one in missing).encode()
    return {name: content for name, content in files.items() if content or name in (c.SHEETS, c.TEXTS)}


def _date(time: str) -> tuple[int, int, int, int, int, int]:
    """The date of the files: that of the last line, in UTC."""
    at = (instant(time) or datetime(_FIRST_YEAR, 1, 1, tzinfo=UTC)).astimezone(UTC)
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        return (_FIRST_YEAR, 1, 1, 0, 0, 0)
    return (at.year, at.month, at.day, at.hour, at.minute, at.second)


def _zip(files: Mapping[str, bytes], date: tuple[int, int, int, int, int, int]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in (name for name in c.FILES if name in files):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name], compresslevel=6)
    return out.getvalue()
