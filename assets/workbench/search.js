/* Finding a feature, a level or a node among those that are drawn. */

export class Search {
  constructor(pane) {
    this.pane = pane;
    this.found = [];
    this.place = -1;
  }

  find(text) {
    const { nodes, tools } = this.pane, asked = text.trim().toLowerCase();
    this.found = asked ? [...nodes.values()].filter(({ row }) => said(row).includes(asked)) : [];
    const hits = new Set(this.found);
    for (const node of nodes.values()) {
      node.group.classList.toggle("hit", hits.has(node));
      node.group.classList.toggle("miss", Boolean(asked) && !hits.has(node));
    }
    tools.found.textContent = asked ? `${this.found.length}` : "";
    this.place = -1;
    if (this.found.length) this.next(1);
  }

  next(step) {
    const count = this.found.length;
    if (!count) return;
    this.place = (this.place + step + count) % count;
    this.pane.chosen.walk(this.found[this.place].id);
    this.pane.tools.found.textContent = `${this.place + 1} of ${count}`;
  }
}

function said(row) {
  return `${row.title}\n${row.branch ?? ""}\n${row.answer ?? ""}\n#${row.id}`.toLowerCase();
}
