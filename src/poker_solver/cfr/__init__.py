"""Counterfactual regret minimization: schedules, engines, best response, the solver."""
