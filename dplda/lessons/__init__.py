"""Lessons: experiments with a question before each, as data; the pictures they may ask for; a handout for paper."""

from dplda.lessons.lesson import Guess, Lesson, LessonStep, Option, Pick
from dplda.lessons.picture import Picture, PictureView
from dplda.lessons.read import read_lesson, read_lessons
from dplda.lessons.views import VIEWS

__all__ = [
    "VIEWS",
    "Guess",
    "Lesson",
    "LessonStep",
    "Option",
    "Pick",
    "Picture",
    "PictureView",
    "read_lesson",
    "read_lessons",
]
