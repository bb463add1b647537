"""FIDE's report files (TRF16, TRF26): read, compared with their results, merged and written, without any rules."""
