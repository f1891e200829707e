"""The encoder's layers in 8 and 4 bits: a small C library of ours, built when ScholarSearch is installed."""
