"""Walks through solved games: text in, what to show out; no terminal and no drawing."""
