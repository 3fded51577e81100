/* The nodes that are drawn, and how they come to their places: those that stay glide, new ones come out of their
   parent. */

import { growIn } from "./life.js";
import { set, svg } from "./make.js";
import { between, Motion } from "./motion.js";
import { FACT, NodeView, SQUARE } from "./node.js";
import { missingText, oneLine, twoLines } from "./text.js";

const MOST_SQUARES = 8; // of classes that a branch gathers
const BESIDE = 28; // pixels between the middles of a pill and of a card whose condition would touch it

export class Drawing {
  constructor(pane) {
    this.pane = pane;
    this.motion = new Motion();
    this.layers = { routes: svg("g"), edges: svg("g"), conditions: svg("g", { class: "conditions" }), nodes: svg("g") };
    this.world = svg("g", { class: "world" }, ...Object.values(this.layers));
  }

  take(before) {
    const { pane } = this, { data, nodes, root } = pane;
    const same = before && before.tree === data.tree, old = this.clear(data.nodes, same);
    const anchor = same ? [pane.chosen.anchor, pane.active, pane.selected, data.nodes[0].id].find((id) => nodes.has(id) && old.has(id)) : undefined;
    const { moves, fresh } = this.fill(data.nodes, same ? old : null);
    pane.first = data.nodes[0].id;
    const drawn = this.arrange(data.nodes);
    pane.camera.nodes = nodes.size;
    root.dataset.moving = "";
    if (before) this.glide(moves, fresh, drawn, pane.views.after(before, anchor, old));
    else {
      for (const [node] of moves) node.move(node.row.x, node.row.y);
      pane.views.first();
      this.rest(drawn);
    }
    if (!same) growIn(pane, drawn);
  }

  /* Lets go of what is not drawn any more; where everything stood. */
  clear(rows, same) {
    const { nodes } = this.pane, kept = new Set(rows.map((row) => row.id)), old = new Map();
    for (const [id, node] of nodes) {
      old.set(id, { x: node.x, y: node.y });
      if (!kept.has(id) || !same) {
        node.remove();
        nodes.delete(id);
      }
    }
    return old;
  }

  /* Every row as a node, and from where it comes. */
  fill(rows, old) {
    const { pane } = this, { nodes } = pane, moves = [], fresh = new Set();
    for (const row of rows) {
      let node = nodes.get(row.id);
      if (node) node.take(row);
      else {
        node = new NodeView(row, pane);
        nodes.set(row.id, node);
        const from = old ? old.get(row.id) ?? old.get(row.parent) ?? nodes.get(row.parent) : null;
        node.move(from?.x ?? row.x, from?.y ?? row.y);
        fresh.add(node);
      }
      moves.push([node, node.x, node.y]);
    }
    return { moves, fresh };
  }

  arrange(rows) {
    const { nodes } = this.pane, { layers } = this;
    layers.nodes.replaceChildren(...rows.map((row) => nodes.get(row.id).group));
    const drawn = rows.map((row) => nodes.get(row.id)).filter((node) => nodes.has(node.row.parent));
    layers.edges.replaceChildren(...drawn.map((node) => node.edge));
    layers.routes.replaceChildren(...drawn.map((node) => node.route));
    layers.conditions.replaceChildren(...drawn.map((node) => node.condition));
    this.dressEdges(drawn);
    this.setSizes();
    return drawn;
  }

  glide(moves, fresh, drawn, end) {
    const { nodes, camera } = this.pane, start = camera.at;
    this.end = end; // where the camera will be; the room may change on the way
    this.motion.run(nodes.size, (q) => {
      for (const [node, x, y] of moves) {
        node.move(x + (node.row.x - x) * q, y + (node.row.y - y) * q);
        if (fresh.has(node)) node.group.style.opacity = q < 1 ? q : "";
      }
      for (const node of drawn) node.connect(nodes.get(node.row.parent));
      camera.look(between(start, this.end, q));
    }, () => this.rest(drawn));
  }

  rest(drawn) {
    const { pane } = this;
    for (const node of drawn) node.connect(pane.nodes.get(node.row.parent));
    for (const node of pane.nodes.values()) node.group.style.opacity = "";
    pane.map.draw();
    pane.chosen.anchor = undefined;
    this.end = null;
    delete pane.root.dataset.moving;
    pane.moved();
    if (pane.views.due) pane.views.follow();
  }

  dressEdges(drawn) {
    const { data } = this.pane, [w] = data.size, sideways = data.orientation === "LR";
    const room = sideways ? data.apart - 10 : w + 8, font = this.pane.font(FACT);
    const pills = sideways ? [...this.pane.nodes.values()].filter((node) => node.pill) : [];
    for (const node of drawn) node.dressEdge(conditionOf(node.row, room - besides(node, pills), font));
    const nodes = [...this.pane.nodes.values()], resting = nodes.filter((node) => node.resting);
    if (!resting.length) return;
    const boxes = nodes.flatMap((node) => node.boxes().map((box) => [node, ...box]));
    for (const node of resting) node.tellRest(boxes);
  }

  /* Folded branches of trees that are looked at together, on one scale. */
  spread(panes) {
    const all = panes.flatMap((pane) => [...pane.nodes.values()]).filter((node) => node.wedge);
    const most = Math.max(...all.map((node) => node.row.folded));
    for (const pane of panes) {
      const nodes = [...pane.nodes.values()];
      for (const node of nodes.filter((one) => one.wedge)) node.spread(most, nodes);
    }
  }

  setSizes() {
    const { nodes } = this.pane, counts = new Map(), places = new Map();
    for (const node of nodes.values()) counts.set(node.row.parent, (counts.get(node.row.parent) ?? 0) + 1);
    for (const node of nodes.values()) {
      const place = (places.get(node.row.parent) ?? 0) + 1;
      places.set(node.row.parent, place);
      set(node.group, { "aria-posinset": place, "aria-setsize": counts.get(node.row.parent) });
    }
  }

  /* Branches that fall by this step of the sequence fade; nodes that become leaves say what they answer. */
  fadeTo(step, all = false) {
    if (step === this.step && !all) return;
    this.step = step;
    const alone = step === null || step === undefined;
    for (const node of this.pane.nodes.values()) {
      const { row } = node;
      const fallen = alone ? Boolean(row.ghost) : row.until !== undefined ? row.until <= step : Boolean(row.ghost);
      const shut = alone ? Boolean(row.cut) : row.closes !== undefined && row.closes <= step && !fallen && !row.leaf;
      if (fallen !== node.fallen) {
        node.fallen = fallen;
        for (const part of node.parts()) part.classList.toggle("fallen", fallen);
      }
      if (shut !== node.shut) {
        node.shut = shut;
        node.group.classList.toggle("shut", shut);
        node.pill?.classList.toggle("fallen", shut); // its ghosts, that were no room for
      }
    }
  }
}

/* What stands at the end of an edge: the condition, and how many came without a value or which classes it gathers. */
function conditionOf({ branch, levels, n_levels, came, alone, gathers }, room, font) {
  if (alone) return [missingText(came, room, font)];
  if (!branch) return [];
  const first = () => oneLine(branch, room, font, levels, n_levels);
  if (came) return [first(), missingText(came, room, font)];
  return gathers ? [first(), SQUARE.repeat(Math.min(gathers.length, MOST_SQUARES))] : twoLines(branch, room, font, levels, n_levels);
}

/* How much of the room for a condition a pill of the level before takes that stands in the same line. */
function besides({ row }, pills) {
  const taken = pills.filter((other) => other.row.level === row.level - 1 && Math.abs(other.row.y - row.y) < BESIDE);
  return Math.max(0, ...taken.map((other) => other.pillWide));
}
