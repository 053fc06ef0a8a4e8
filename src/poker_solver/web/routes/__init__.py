"""One router per area; each takes what it needs from `Parts` and decides nothing."""

from poker_solver.web.routes import (
    build,
    compare,
    jobs,
    library,
    locks,
    ranges,
    reports,
    review,
    settings,
    study,
    train,
    walk,
)

ROUTERS = (
    library.router,
    study.router,
    walk.router,
    locks.router,
    compare.router,
    reports.router,
    build.router,
    ranges.router,
    train.router,
    review.router,
    jobs.router,
    settings.router,
)
"""In the order in which the OpenAPI page lists them."""
