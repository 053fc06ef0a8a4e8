"""Rules, one state at a time, clear before fast."""
