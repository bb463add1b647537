"""Formats: each says who meets whom in the next round. A new one is one file, and one line in `table`."""
