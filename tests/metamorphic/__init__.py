"""Random histories of whole competitions, and relations that hold between two of them."""
