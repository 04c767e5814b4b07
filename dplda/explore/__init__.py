"""What can be read off topics alone: distances, a map, shares, relevant words, names.

Every function takes topics and nothing of the documents, so that what it makes of private topics is post-processing.
"""
