"""The commands of UPI, by what they are for; `table` has them by name."""
