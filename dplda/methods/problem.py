"""Problem and Budget under the name that scripts of earlier versions import."""

from dplda.methods.base.problem import Budget as Budget
from dplda.methods.base.problem import Problem as Problem
