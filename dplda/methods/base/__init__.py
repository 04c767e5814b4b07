"""A method's task, its budget, what it may use and what it gives; imports no method."""
