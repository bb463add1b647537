"""``python -m tests.tiebreaks N SEED``: so many random events, every code and modifier; exits 1 where something differs."""

import sys
from itertools import islice

from tests.tiebreaks.compare import differences


def main() -> int:
    number, first = (int(text) for text in sys.argv[1:3])
    found = list(islice(differences(range(first, first + number)), 20))
    for difference in found:
        print(difference)
    print(f"{number} events from seed {first}: {'nothing' if not found else 'something'} differs from the text of C.07")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
