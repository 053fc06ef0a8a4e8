"""One router per area; each takes what it needs from `Parts` and decides nothing."""

from poker_solver.web.routes import jobs, library, settings, study

ROUTERS = (library.router, study.router, jobs.router, settings.router)
"""In the order in which the OpenAPI page lists them."""
