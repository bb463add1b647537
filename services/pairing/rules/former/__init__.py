"""What pairing decided by earlier editions, unchanged: imported only by the function that chooses by edition."""
