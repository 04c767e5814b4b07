"""The server process: ``python -m dplda.ui.server app.py`` and Streamlit's own options."""

if __name__ == "__main__":
    from dplda.ui.server.process import main

    main()
