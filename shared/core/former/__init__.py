"""What earlier editions of decisions did, unchanged: imported only by the function that chooses by edition."""
