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
from treecore.tree.node import headline
from treecore.tree.tree import Tree

MOST_DRAWN = 40
"""Nodes of the picture."""
MOST_ON_PAGE = 2_000
"""Nodes of a page within a notebook, which keeps it as part of its file: about a megabyte."""
_HTML = """<div id="{id}" aria-label="{alt}">{instead}</div>
<script>
(() => {{
  const here = document.getElementById("{id}"), page = document.createElement("iframe");
  page.setAttribute("sandbox", "allow-scripts");
  page.style.cssText = "width: 100%; height: 560px; border: 0";
  page.title = here.getAttribute("aria-label");
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
    """HTML: the picture, or without a layout engine the outline, in whose place a script puts the page. None of a large
    tree."""
    if tree.n_nodes > MOST_ON_PAGE:
        return None
    alt, drawn = escape(visible(f"Decision tree, {headline(tree)}"), quote=True), picture(tree)
    if drawn is None:
        instead = f"<pre>{escape(tree.show())}</pre>"
    else:
        data = base64.b64encode(drawn.encode("utf-8")).decode("ascii")
        instead = f'<img alt="{alt}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'
    return _HTML.format(id=f"treecore-{uuid4().hex}", alt=alt, instead=instead, page=in_script(to_page(Given(tree))))
