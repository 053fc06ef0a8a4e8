"""What is played, read from YAML and checked entirely; no rules, no solving."""
