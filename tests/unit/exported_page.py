"""What an exported HTML page holds of its tree."""

import json


def data_of(page: str) -> dict:
    """The long constants of a page, TREE and SAID."""
    return json.loads(page.split('<script type="application/json" id="tree">')[1].split("</script>")[0])
