"""The terminal: a whole chat in a few small files, the one to copy.

`chat` shows panels and hears people, `starting` finds what to play; `drawing` and `markup` make
lines of panels, `typed` reads lines, `screen` is where they go out and come in.
"""
