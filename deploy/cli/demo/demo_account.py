"""The story of the sample tournament in a few lines: the fouls, the loss, the annulment, the changed rows, the audit."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from deploy.cli.demo.demo_story import Story
from deploy.cli.trf.player_tables import step
from shared.core.language.messages import Message, say, term


class Annulment(NamedTuple):
    """The ruling that the appeals committee annulled, and the ``loss`` that depended on it. ``seq``: event of the annulment."""

    seq: int
    annulled: str
    loss: dict[str, Any]


def tell(story: Story) -> Iterator[Message]:
    """Yield the sentences of the story, read from its log."""
    made = _annulment(story.lines())
    names = {p["id"]: p["name"] for p in story.table(made.seq)["players"]}
    loss = made.loss
    yield say(
        "Round {round}, board {board}: {name} commits three fouls, rulings {rulings}.",
        round=loss["round"],
        board=loss["game"].rpartition(".")[2],
        name=names[loss["player"]],
        rulings=tuple(loss["because"]),
    )
    yield say("The third foul loses the game: ruling {loss}, which depends on all three.", loss=loss["ruling"])
    yield say(
        "The appeals committee annuls the second foul, {annulled}. The loss {loss} lapses with it, and the game continues.",
        annulled=made.annulled,
        loss=loss["ruling"],
    )
    yield say("The annulment changed these rows of the standings:")
    for row in story.changes(made.seq):
        was, now = row["before"], row["after"]
        if (was["points"], was["rank"]) != (now["points"], now["rank"]):
            yield say(
                "  {name}: rank {rank}, points {points}",
                name=names[row["id"]],
                rank=step(was["rank"], now["rank"]),
                points=step(was["points"], now["points"]),
            )


def audited(story: Story, data: Path) -> tuple[Message, bool]:
    """Return what the audit of the log with a new checkpoint says, and whether it agrees without a remark."""
    from deploy.server.rules import RULES
    from shared.audit.audit import Evidence, audit
    from shared.audit.checkpoints.checkpoint import parse, parse_key_file

    checkpoint = parse(story.checkpoint().decode())
    key = parse_key_file((data / "arbiter.vkey").read_text(encoding="utf-8"))
    report = audit(story.lines(), RULES, Evidence(checkpoints=[checkpoint], keys=[key]))
    if report.verdict == "agrees" and not report.remarks:
        return say(
            "All {count} events were re-evaluated and match. A signed checkpoint covers them.", count=report.decided
        ), True
    reasons = [one.why for one in report.in_order()] + list(report.incomplete) + list(report.remarks)
    return say("The audit {verdict}: {reason}", verdict=term(report.verdict), reason=reasons[0]), False


def _annulment(lines: list[bytes]) -> Annulment:
    rulings: list[dict[str, Any]] = []
    for seq, line in enumerate(lines, 1):
        event = json.loads(line)
        if event["type"].startswith("arbiter.ruling.made."):
            rulings.append(event["data"])
        if event["type"].startswith("arbiter.ruling.annulled."):
            annulled = event["data"]["annuls"]
            return Annulment(seq, annulled, next(r for r in rulings if annulled in r["because"]))
    raise AssertionError("the sample tournament has an annulled ruling")


def headline(story: Story) -> Message:
    """Return the name, game and size of the sample tournament."""
    sample = story.sample
    return say(
        "{name}: {game}, {format}, {rounds} rounds, {players} players",
        name=sample.name,
        game=term(sample.game),
        format=term(sample.format),
        rounds=sample.rounds,
        players=len(sample.players),
    )
