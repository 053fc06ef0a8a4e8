"""ACPC, protocol 2.0.0: its lines, a client and a dealer."""
