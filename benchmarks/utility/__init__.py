"""How useful private topics are: methods side by side, a gate that they must pass, and every part of the best one."""
