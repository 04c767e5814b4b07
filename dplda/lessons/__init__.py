"""Lessons: experiments with a question before each, as data; the pictures they may ask for; a handout for paper."""

from dplda.lessons.lesson import Guess, Lesson, Option, Pick, Step
from dplda.lessons.picture import Picture, View
from dplda.lessons.read import read_lesson, read_lessons
from dplda.lessons.views import VIEWS

__all__ = ["VIEWS", "Guess", "Lesson", "Option", "Pick", "Picture", "Step", "View", "read_lesson", "read_lessons"]
