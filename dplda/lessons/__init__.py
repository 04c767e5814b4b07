"""Lessons as data, and the pictures they may use."""

from dplda.lessons.lesson import Lesson as Lesson
from dplda.lessons.lesson import LessonStep as LessonStep
from dplda.lessons.lesson import Pick as Pick
from dplda.lessons.read import read_lesson as read_lesson
from dplda.lessons.views.picture import Picture as Picture
from dplda.lessons.views.picture import PictureView as PictureView
