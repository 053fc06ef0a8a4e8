"""Property tests here have no deadline: the first example may compile."""

from hypothesis import settings

settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")
