"""Problems of files in the words of the operating system, translated."""

from shared.core.language.messages import Message, say

_SENTENCES = {
    one.text: one
    for one in (
        say("No such file or directory"),
        say("Permission denied"),
        say("Is a directory"),
        say("Not a directory"),
        say("No space left on device"),
        say("Read-only file system"),
    )
}


def os_problem(error: OSError) -> Message:
    """Return what is wrong with a file, as a message."""
    text = error.strerror or str(error)
    return _SENTENCES.get(text) or say("{text}", text=text)
