# What is done often: `just` lists it, `just test-fast` does it (https://just.systems).

_:
    @just --list --unsorted

# the app in the browser
app:
    uv run streamlit run streamlit_app.py

# everything; browser tests need Chromium, or CHROMIUM=its path
test:
    uv run pytest

# functions, pages and published numbers, without a browser; or the tests that are named
test-fast *TESTS="tests/unit tests/golden tests/app":
    uv run pytest {{TESTS}}

# the documentation, renewed while it is written
docs:
    uv run --extra docs mkdocs serve

# speed beside scikit-learn, in one run
bench:
    uv run python -m benchmarks.peers

# what the code must look like, and whether its types hold
lint:
    uv run ruff check .
    uv run ruff format --check .
    uv run mypy
