/* Finding a feature, a level or a node: among those that are drawn at once, in all of the tree once Python has looked. */

const WAIT = 200;

export class Search {
  constructor(pane) {
    this.pane = pane;
    this.asked = "";
    this.ids = [];
    this.place = -1;
  }

  find(text) {
    this.asked = text.trim().toLowerCase();
    this.told = null;
    this.restored = false;
    this.pane.hover.hide();
    this.mark();
    this.place = -1;
    if (this.ids.length) this.next(1);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.pane.report("find", { text }), WAIT);
  }

  /* What Python has found, with the nodes that are not drawn. */
  take(data) {
    const { found } = data, now = this.ids[this.place];
    if (!this.begun && found) {
      this.restored = true;
      this.pane.tools.box.value = found.text; // another page shows the same search
      this.asked = found.text.trim().toLowerCase();
    }
    this.begun = true;
    if (!this.asked || found?.text.trim().toLowerCase() !== this.asked) return;
    this.told = found;
    this.everywhere = new Set(found.ids);
    this.mark();
    this.place = this.ids.indexOf(now);
    if (this.place < 0 && this.ids.length && !this.restored) this.next(1);
    else this.count();
  }

  mark() {
    const { nodes } = this.pane, { asked, told } = this;
    const drawn = asked ? [...nodes.values()].filter(({ row }) => said(row).includes(asked)).map((node) => node.id) : [];
    this.ids = asked && told ? told.ids : drawn;
    const hits = new Set(drawn);
    for (const node of nodes.values()) {
      const below = (asked && told?.under[node.id]) || 0;
      node.group.classList.toggle("hit", hits.has(node.id));
      node.group.classList.toggle("miss", Boolean(asked) && !hits.has(node.id) && !below);
      node.group.classList.toggle("holds", below > 0);
    }
    this.count();
  }

  /* Of a node of the icicle and of the rings. */
  classOf(id) {
    if (!this.asked || !this.told) return "";
    return this.everywhere.has(id) ? "hit" : "miss";
  }

  count() {
    const { asked, ids, place } = this, many = ids.length.toLocaleString("en");
    this.pane.tools.found.textContent = !asked ? "" : place < 0 ? many : `${(place + 1).toLocaleString("en")} of ${many}`;
  }

  next(step) {
    const many = this.ids.length, { pane } = this;
    if (!many) return;
    this.place = (this.place + step + many) % many;
    const id = this.ids[this.place];
    if (pane.whole.has(id)) pane.chosen.select(id);
    else if (pane.nodes.has(id)) pane.chosen.walk(id);
    else pane.report("select", { node: id }); // which brings it into the picture
    this.count();
  }
}

function said(row) {
  return `${row.title}\n${row.branch ?? ""}\n${row.answer ?? ""}\n#${row.id}`.toLowerCase();
}
