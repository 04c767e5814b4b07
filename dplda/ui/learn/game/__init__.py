"""The page Who was in?"""
