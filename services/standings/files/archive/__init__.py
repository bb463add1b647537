"""The archive of an event: one zip of all that a stranger needs to verify it and to read it elsewhere."""
