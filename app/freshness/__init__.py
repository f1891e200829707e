"""How fresh the records are: their links looked at politely, and their age told by source. Nothing is ever deleted."""
