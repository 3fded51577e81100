"""What the search for garbage after every run of the script looks at."""

import gc

from pages.shared import engine


def test_modules_are_set_aside_as_pages_import_them(app):
    gc.unfreeze()
    engine._set_aside.clear()
    app.sample("iris")
    for page in ("grow", "compare"):
        app.go(page).run()
        assert len(gc.get_objects()) < gc.get_freeze_count(), page
