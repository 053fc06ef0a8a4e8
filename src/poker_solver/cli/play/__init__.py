"""Commands that play: matches, hands against a person, other programs."""
