"""The commitment of an end, a finding or a check of facts: the score sheet as it is with the command's own lines."""

from dataclasses import replace

from shared.core.events import Data, FactsChecked, FindingMade, GameEnded, SheetRef
from shared.desk.rules_port import Seal


def seal(data: Data, seal: Seal) -> Data:
    """``data`` with its sheet's number of lines and digest, where it commits to one."""
    if isinstance(data, GameEnded | FindingMade | FactsChecked):
        return replace(data, sheet=SheetRef(seal.sheet_lines, seal.sheet_sha256))
    return data
