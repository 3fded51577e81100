"""Random examples: always new ones at a desk, always the same ones where a verdict must not hang on luck."""

import os

from hypothesis import settings

# what is compared with the kernels must come from the kernels, also where none is compiled yet
os.environ.setdefault("TREECORE_UNCOMPILED", "0")
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI") == "true":
    settings.load_profile("ci")
