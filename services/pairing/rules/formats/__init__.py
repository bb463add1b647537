"""Formats: each plans who meets in the next round. A new format is one file, and one row in `registry`."""
