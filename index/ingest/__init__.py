"""Other people's dirty files into documents: readers, a mapping of columns, cleaning that never invents, rejects.

Nothing here knows of HTTP or of a database.
"""
