"""A second implementation of formats, written from the rule texts alone, and the matrix that compares it with the product."""
