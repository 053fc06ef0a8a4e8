"""Solving one spot: stop rules, checkpoints, locks that are frequencies, maximum exploit."""
