/* The tree as it grew: the split of the most rows first. */

const EVERY = 260;

export function play(pane) {
  const { nodes, chosen } = pane;
  clearInterval(pane.playing);
  const order = [...nodes.values()].sort((a, b) => b.row.share - a.row.share || a.row.level - b.row.level);
  const parents = [...new Set(order.map((node) => node.row.parent))].filter((id) => nodes.has(id));
  const hide = (node, on) => node.parts().forEach((part) => part.classList.toggle("unborn", on));
  order.forEach((node) => hide(node, nodes.has(node.row.parent)));
  pane.quiet = true;
  pane.playing = setInterval(() => {
    const parent = parents.shift();
    if (parent === undefined) {
      clearInterval(pane.playing);
      pane.quiet = false;
      chosen.show();
      return;
    }
    pane.childrenOf(parent).forEach((node) => hide(node, false));
  }, EVERY);
}
