"""Commands that speak to other programs."""
