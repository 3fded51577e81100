"""A tree in a notebook: a picture of its top, and where scripts run the page on which it can be opened and searched."""

import base64
from html import escape
from uuid import uuid4

from treecore.brief import visible
from treecore.errors import TreecoreError
from treecore.export.code import in_script
from treecore.export.format import Given
from treecore.export.layout import layout_svg
from treecore.export.page import to_page
from treecore.export.pictures import to_dot
from treecore.tree.printed import headline
from treecore.tree.tree import Tree

MOST_DRAWN = 40
"""Nodes of the picture."""
MOST_ON_PAGE = 2_000
"""Nodes of a page within a notebook, which keeps it as part of its file: about a megabyte."""
_HTML = """<div id="{id}"><img alt="{alt}" style="max-width: 100%" src="data:image/svg+xml;base64,{picture}"></div>
<script>
(() => {{
  const here = document.getElementById("{id}"), page = document.createElement("iframe");
  page.setAttribute("sandbox", "allow-scripts");
  page.style.cssText = "width: 100%; height: 560px; border: 0";
  page.title = here.firstChild.alt;
  page.srcdoc = {page};
  here.replaceChildren(page);
}})();
</script>
"""


def picture(tree: Tree) -> str | None:
    """SVG of the nodes of the top; None where no layout engine is installed."""
    try:
        return layout_svg(to_dot(Given(tree), MOST_DRAWN)).decode("utf-8")
    except TreecoreError:
        return None


def interactive(tree: Tree) -> str | None:
    """HTML: the picture, in whose place a script puts the page. None without a picture, and for a large tree."""
    drawn = picture(tree) if tree.n_nodes <= MOST_ON_PAGE else None
    if drawn is None:
        return None
    return _HTML.format(
        id=f"treecore-{uuid4().hex}",
        alt=escape(visible(f"Decision tree, {headline(tree)}"), quote=True),
        picture=base64.b64encode(drawn.encode("utf-8")).decode("ascii"),
        page=in_script(to_page(Given(tree))),
    )
