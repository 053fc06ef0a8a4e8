"""The command line: parse, call, print; decide nothing."""
