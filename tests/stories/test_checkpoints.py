"""Checkpoints as a house gives them: one signer with a memory, and the way out where the log is another."""

from deploy.server.keys.house_signer import memory_of
from shared.audit.checkpoints.checkpoint import parse
from shared.audit.checkpoints.note import SignedHead
from tests.stories.conftest import Story

T = "/v1/tournaments/T"


def test_a_log_that_does_not_continue_what_was_signed_is_signed_again_after_a_restart_that_stands_in_it(
    story: Story,
) -> None:
    story.announced()
    assert parse(story.get(f"{T}/checkpoint")).origin == "arbiter/T"
    assert story.refused(f"{T}/checkpoint/restarts", {"reason": "none"}, "organiser") == (409, "nothing-to-restart")
    memory = memory_of(story.hall.data)
    assert memory.remember("arbiter/T", memory.largest_head("arbiter/T"), SignedHead(999, bytes(32)))
    refused = story.ask("GET", f"{T}/checkpoint")
    assert refused.status_code == 503 and "999 events was signed" in refused.get_json()["detail"]
    assert story.refused(f"{T}/publications", {}, "organiser") == (503, "checkpoint-refused")
    assert "999 events was signed" in str(memory.refusals()["arbiter/T"])
    restarted = story.tell(f"{T}/checkpoint/restarts", {"reason": "a backup was put back"}, "organiser")
    assert restarted["events"][0]["data"]["size"] == 999
    assert parse(story.get(f"{T}/checkpoint")).size < 999
    assert memory.refusals() == {}
    assert any("started again" in str(remark) for remark in story.audited().remarks)


def test_what_a_publication_was_signed_on_is_remembered(story: Story) -> None:
    story.announced()
    published = story.tell(f"{T}/publications", {}, "organiser")["events"][0]
    remembered = memory_of(story.hall.data).largest_head("arbiter/T")
    assert remembered is not None and remembered.size >= published["basis"]
