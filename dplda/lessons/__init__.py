"""Lessons as data, and the pictures they may use."""

from dplda.lessons.lesson import Lesson as Lesson
from dplda.lessons.lesson import LessonStep as LessonStep
from dplda.lessons.lesson import Pick as Pick
from dplda.lessons.picture import Picture as Picture
from dplda.lessons.picture import PictureView as PictureView
from dplda.lessons.read import read_lesson as read_lesson
