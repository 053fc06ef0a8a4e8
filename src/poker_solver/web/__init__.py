"""The browser's server: routes, jobs and pages over the same views that the terminal draws."""
