"""HTTP routes that clients of Slumbot know."""
