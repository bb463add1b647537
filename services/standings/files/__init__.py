"""Files that other programs read and write: FIDE's TRF, tables as CSV, lists as workbooks, archives."""
