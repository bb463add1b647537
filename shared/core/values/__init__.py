"""The values that a log may hold: bounds of numbers, lists and texts.

Standard library only. A tournament announced with ``offices: 3`` holds nothing outside of these bounds.
"""
