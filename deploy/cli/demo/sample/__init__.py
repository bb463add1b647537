"""The sample tournament: data, and nothing else."""
