"""From rules to arrays."""
