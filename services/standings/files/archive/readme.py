"""``README.txt`` of an archive: what its files are, and how a stranger verifies it. In English and in Chinese."""

from collections.abc import Sequence

from services.standings.files.archive.contents import About

_WHAT = {
    "README.txt": ("this text", "本说明"),
    "archive.json": ("which event, how many lines, their root", "哪项赛事、多少行、根摘要"),
    "missing.txt": ("what this archive lacks, and why", "本存档缺少什么，以及原因"),
    "log.ndjson": ("the log: every decision, a line each", "日志：每项决定一行"),
    "sheets.ndjson": ("the score sheets, line by line", "对局记录，逐行"),
    "texts.ndjson": ("names and what was written, under the hashes that the log names", "姓名与文字，按日志中的摘要"),
    "names.json": (
        "names and particulars alone, which no hash here proves",
        "仅有姓名等公开文字，此处没有摘要可以证明",
    ),
    "checkpoint.txt": (
        "the signed checkpoint of these lines (C2SP signed note)",
        "这些行的签名检查点（C2SP signed note）",
    ),
    "cosigned.txt": ("an earlier checkpoint that witnesses cosigned", "由见证方会签的较早检查点"),
    "arbiter.vkey": ("the public keys of the house that signs checkpoints", "签署检查点一方的公钥"),
    "services.vkey": ("the public keys by which lines are signed, as the log names them", "日志所载、签署各行的公钥"),
    "regulations.json": ("the regulations in force, whole", "所用规则全文"),
    "standings.json": ("the table", "成绩表"),
    "standings.csv": ("the table, for spreadsheets", "成绩表（电子表格）"),
    "crosstable.json": ("the cross table", "循环对照表"),
    "crosstable.csv": ("the cross table, for spreadsheets", "循环对照表（电子表格）"),
    "teams.json": ("the table of teams", "团体成绩表"),
    "teams.csv": ("the table of teams, for spreadsheets", "团体成绩表（电子表格）"),
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
reads every line, decides everything again by the regulations in the log, and compares the score sheets, the
texts, the checkpoint and each table with it. It ends with 0 where all agrees, 1 where something differs (it names
the line), 3 where something is missing, 2 where the file cannot be read.
The keys in this archive are the word of whoever made it. Have the key from the house itself, and the checkpoint
from a witness, a printed sheet or another copy, and give them too:
  arbiter verify THIS.zip --key house.vkey --checkpoint kept.txt --digest SEQ:HEX
Without our code, lines, roots, signatures and checkpoints: the page verify.html (deploy/docs of Arbiter, opened from
the disk) takes this zip as it is; of what lies here unpacked the program beside it is called
  verify-go log.ndjson arbiter.vkey services.vkey checkpoint.txt
Both take receipts and the keys of witnesses too (verify-go -quorum N: so many of them must have cosigned; else all).

验证方法
  arbiter verify 本文件.zip
逐行读取日志，按日志中的规则重新判定每一项，并核对对局记录、文字、检查点和各表。结果：0 一致；1 有不符（指出哪一行）；
3 有缺少；2 文件无法读取。
存档里的公钥只是制作者自己的说法。请另从主办方取得公钥，从见证方、打印件或另一份存档取得检查点，一并给出：
  arbiter verify 本文件.zip --key house.vkey --checkpoint kept.txt --digest SEQ:HEX
不用我们的程序也可核对各行、根摘要、签名和检查点：从本地打开 Arbiter 的 deploy/docs/verify.html，选取本文件即可；或解压后运行
  verify-go log.ndjson arbiter.vkey services.vkey checkpoint.txt
两者也接受回执和见证方公钥（verify-go -quorum N：其中须有 N 家会签，否则须全部会签）。
"""


def readme(about: About, names: Sequence[str]) -> str:
    """The text for an archive that holds these files."""
    width = max(map(len, names))
    files = "".join(f"  {name:{width}}  {_WHAT[name][0]} / {_WHAT[name][1]}\n" for name in names)
    return _TEXT.format(about=about, files=files)
