"""The state of a solve and passes over it: one interface, one engine per kind of device."""
