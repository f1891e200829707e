"""A small judged set that the running service ranks again and again: the alarm that sings before users notice."""
