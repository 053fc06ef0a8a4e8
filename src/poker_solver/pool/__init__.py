"""Work handed out to workers: in this process, in processes of this machine, or on a Ray cluster.

There are two kinds. Independent tasks go wherever there is room for what they need, and again
elsewhere if a worker is lost. Actors own something for long: each lives on one node, is asked by
the name of a method, and if it is lost whoever made it is told, and makes up for it.

What a task or an actor comes to does not depend on the pool. Functions and classes that are handed
out stand in modules of the package; what they are given and give back is copied.
"""

from poker_solver.pool.contract import Actor, Needs, Node, Pool, WorkerLostError
from poker_solver.pool.opening import open_pool

__all__ = ["Actor", "Needs", "Node", "Pool", "WorkerLostError", "open_pool"]
