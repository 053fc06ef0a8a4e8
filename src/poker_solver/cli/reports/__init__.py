"""Commands that tell of several solutions at once: many flops, two saves."""
