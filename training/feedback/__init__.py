"""Trials of learning from clicks, on simulated users whose grades are known. Nothing here ranks for anybody."""
