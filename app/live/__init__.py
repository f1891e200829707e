"""Live updates: a built snapshot, what the store has changed since, and the searchable state of the two together.

A write is durable in the store first. A follower reads what changed, whoever wrote it, and makes the next edition; a
keeper puts it in the place of the old one in one step. A search reads one edition from start to end.
"""
