"""Resources under the name that scripts of earlier versions import."""

from dplda.methods.base.runtime import Resources as Resources
