"""Runtime under the place and name that scripts of earlier versions import."""

from dplda.methods.base.runtime import Runtime as Resources

__all__ = ["Resources"]
