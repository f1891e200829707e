"""The rules of cleaning, one noun a module: each reads what is certain in a cell and leaves the rest alone."""
