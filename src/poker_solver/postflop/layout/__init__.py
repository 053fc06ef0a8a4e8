"""A spot as the arrays that engines walk; nothing here changes during a solve."""
