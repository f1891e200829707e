"""Migrations of the store, run by `app.store.schema`."""
