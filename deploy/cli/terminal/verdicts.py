"""The verdicts of an audit and of a receipt, in words."""

from shared.audit.report import Verdict
from shared.core.language.messages import Message, say

VERDICTS: dict[Verdict, Message] = {
    "agrees": say("agrees"),
    "differs": say("differs"),
    "incomplete": say("incomplete"),
}
