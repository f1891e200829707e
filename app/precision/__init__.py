"""The precision ladder while it serves: its keeper, what it listens to, and its record."""
