/* The node that is selected, the one in focus, and what can be done with them. */

export class Chosen {
  constructor(pane) {
    this.pane = pane;
  }

  /* What Python says is selected, unless the reader has gone on since. */
  take(data) {
    const { pane } = this;
    if (data.seen < pane.sequence) return;
    const moved = pane.selected !== data.selected;
    pane.selected = pane.nodes.has(data.selected) ? data.selected : null;
    if (moved || !pane.nodes.has(pane.active)) pane.active = pane.selected ?? pane.first;
    if (moved && this.told) pane.views.reveal(pane.selected);
    this.told = true;
  }

  show() {
    const { pane } = this, { nodes, selected, active } = pane, path = this.pathTo([selected]), way = this.pathTo(pane.data.ways ?? []);
    const parents = new Set([...nodes.values()].map((node) => node.row.parent));
    for (const node of nodes.values()) {
      const picked = node.id === selected;
      node.group.classList.toggle("path", path.has(node.id));
      node.group.classList.toggle("way", way.has(node.id));
      node.group.classList.toggle("selected", picked);
      node.group.classList.toggle("active", node.id === active);
      node.group.setAttribute("aria-selected", String(picked));
      if (node.unparted) node.group.removeAttribute("aria-expanded");
      else if (parents.has(node.id)) node.group.setAttribute("aria-expanded", "true");
      else if (node.row.below) node.group.setAttribute("aria-expanded", "false");
      else node.group.removeAttribute("aria-expanded");
      node.edge.classList.toggle("path", path.has(node.id));
      node.edge.classList.toggle("way", way.has(node.id));
    }
    if (active !== null) pane.stage.setAttribute("aria-activedescendant", `n${active}`);
    pane.whole.draw();
    pane.acts.show();
  }

  /* These nodes and all above them, as far as they are drawn. */
  pathTo(ids) {
    const { nodes } = this.pane, found = new Set();
    for (const id of ids) for (let node = nodes.get(id); node; node = nodes.get(node.row.parent)) found.add(node.id);
    return found;
  }

  select(id) {
    const { pane } = this;
    if (!pane.nodes.has(id) && !pane.whole.has(id)) return;
    pane.active = id;
    const moved = pane.selected !== id;
    pane.selected = id;
    this.show();
    if (moved || pane.data.calls) pane.report("select", { node: id });
  }

  walk(id) {
    const { pane } = this;
    if (id === undefined || id === null || !pane.nodes.has(id) || pane.nodes.get(id).unborn) return;
    pane.active = id;
    this.show();
    pane.views.reveal(id);
  }

  /* ------------------------------------------------------------ deeds */

  open(id) {
    this.anchor = id; // stands still while the others make room
    this.pane.report("open", { node: id });
  }

  close(id) {
    this.anchor = id;
    this.pane.report("close", { node: id });
  }

  turnOpen(id) {
    const { pane } = this;
    if (pane.nodes.get(id)?.row.below) this.open(id);
    else if (pane.childrenOf(id).length) this.close(id);
  }

  deedsOf(node) {
    const { row } = node, { pane } = this, { words } = pane.data, deeds = [];
    const add = (name, act) => deeds.push({ name, text: words.deeds[name][0], title: words.deeds[name][1], act });
    for (const name of row.deeds ?? []) add(name, () => pane.act({ type: name, node: node.id }));
    if (row.below) add("open", () => this.open(node.id));
    else if (pane.childrenOf(node.id).length) add("fold", () => this.close(node.id));
    return deeds;
  }

  cutOrRestore(id) {
    const deed = (this.pane.nodes.get(id)?.row.deeds ?? []).find((name) => name === "cut" || name === "restore");
    if (deed) this.pane.act({ type: deed, node: id });
  }
}
