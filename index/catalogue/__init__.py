"""The catalogue that ships with the package: real programmes as facts, with sentences of our own."""
