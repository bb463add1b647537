"""The three verifiers (command, page, Go program) on the same files: one table of vectors, and a campaign of mutations."""
