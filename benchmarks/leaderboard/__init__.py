"""A leaderboard of private topic models: fixed corpora, seeds, tasks and rows, and a format for results of others.

``corpora`` has the recipes, ``contenders`` the rows and ``rivals`` those of other papers, ``tasks`` what is measured,
``entries`` the format and its reader, ``page`` the page. ``command`` puts them together.
"""
