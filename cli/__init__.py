"""The one command, `scholarsearch`: each verb is a thin module that imports what it needs when called."""
