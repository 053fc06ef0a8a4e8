"""Practice against a solution: hands dealt, decisions asked for and graded, mistakes kept."""
