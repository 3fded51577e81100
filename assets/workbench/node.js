/* One node: a block when it is far, a chip (answer and rows) when nearer, a card when near. */

import { label, set, svg } from "./make.js";
import { beside } from "./routes.js";
import { splitPicture } from "./split_picture.js";
import { survivalCurve } from "./survival_curve.js";
import { fitted, missingText, widthOf } from "./text.js";

export const SQUARE = "\u25A0"; // of a class that a branch gathers
export const WEDGE = 36; // pixels from a card to the foot of a folded branch
export const FACT = "400 12px";
const CHIP = 24; // pixels of the letters of a chip with two lines, which are read from the scale on at which it shows
const SMALL = 16; // of a name that is too long for these, read from ROOMY of camera.js on
const FIGURE = 52; // pixels of most figures beside a curve
const REST = 15, BEYOND = 10; // pixels of a line beside a card, and that it may stand out of the drawing
const ASIDE = 4; // pixels between an edge and the middle of the route of missing values beside it
const TITLE = "500 13px", STRONG = "600 13px", PAD = 9;

export class NodeView {
  constructor(row, pane) {
    this.pane = pane;
    this.id = row.id;
    this.group = svg("g", { class: "node", role: "treeitem", id: `n${row.id}`, "data-node": row.id });
    this.title = svg("title");
    this.edge = svg("path", { class: "edge" });
    this.route = svg("path", { class: "route" });
    this.condition = svg("g", { class: "condition" });
    this.take(row);
  }

  /* A row of data; draws again only what has changed. */
  take(row) {
    const stamp = JSON.stringify([row, this.pane.data.size, this.pane.data.orientation, this.pane.data.stacked, this.pane.data.classes.length, this.pane.data.interest, this.pane.data.groups]);
    const before = this.row;
    this.row = row;
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    const { group, title } = this;
    title.textContent = row.label;
    set(group, { "aria-label": row.label, "aria-level": row.level, class: `node ${row.leaf ? "leaf" : "inner"} ${row.differs ? "differs" : ""} ${row.look ?? ""}` });
    this.fallen = this.shut = undefined; // marked anew by the pane
    this.edge.style.setProperty("--shade", this.thread());
    const parts = [title, this.block(), this.chip(), this.card()];
    this.resting = row.rest ? this.rest() : null;
    if (this.resting) parts.push(this.resting);
    if (row.differs) parts.push(this.badge("≠", row.differs, -1));
    if (row.cut) {
      const scissors = this.badge("✂", row.cut, 1);
      scissors.classList.add("scissors"); // of the screen alone
      parts.push(scissors);
    } else if (row.place !== undefined) parts.push(this.badge("↑", `Raised to the place of node ${row.place}`, 1));
    if (row.returns) parts.push(this.badge(row.returns, row.told_returns, -1, 10, row.differs ? 28 : 8));
    this.pill = row.below ? this.more(row.below) : null;
    if (this.pill) parts.push(this.pill);
    this.wedge = row.folded ? svg("path", { class: "wedge" }) : null;
    if (this.wedge) parts.splice(1, 0, this.wedge);
    group.replaceChildren(...parts);
    if (!before || before.branch !== row.branch) this.conditionStamp = null;
  }

  /* Width and height; the card of a split is higher where it shows the values that it parts. */
  get size() {
    const [wide, high] = this.pane.data.size;
    return [wide, this.row.high ?? high];
  }

  tint() {
    const { row, pane } = this;
    if (row.tint === undefined) return "var(--faint)";
    if (row.lift !== undefined) return pane.colors.shade(row.tint, row.lift);
    if (!pane.data.classes.length) return pane.colors.amount(row.value, 8, 70);
    return pane.colors.of(row.tint);
  }

  /* The colour of its edge: that of inner nodes without a class of interest is paler, as their faces are. */
  thread() {
    const { row, pane } = this;
    if (row.lift !== undefined) return pane.colors.shade(row.tint, row.lift, 80, "var(--line)");
    if (row.purity === undefined || !pane.data.classes.length) return "var(--line)";
    return pane.colors.shade(row.tint, row.purity, row.leaf ? 70 : 35, "var(--line)");
  }

  /* As its tint, with the sign of its class. */
  ink() {
    const { row, pane } = this;
    return row.tint === undefined || row.lift !== undefined || !pane.data.classes.length ? this.tint() : pane.colors.fill(row.tint);
  }

  face(className) {
    const [w, h] = this.size;
    return svg("rect", { class: `face ${className}`, x: -w / 2, y: -h / 2, width: w, height: h, rx: 6 });
  }

  block() {
    const face = this.face("block");
    face.style.fill = this.ink();
    return face;
  }

  chip() {
    const [w, h] = this.size, { row, pane } = this, named = row.named && row.named !== row.short, size = Math.min(CHIP, h - 8);
    const stripe = svg("rect", { x: -w / 2, y: -h / 2, width: 8, height: h, rx: 3 });
    stripe.style.fill = this.ink();
    const written = (text, y, size, name) => {
      const made = label({ class: `answer ${name}`, x: 5, y, "text-anchor": "middle" }, fitted(text, w - 18, pane.font(`600 ${size}px`)));
      made.style.fontSize = `${size}px`; // an attribute would give way to the style of all texts
      return made;
    };
    // what is cut in large letters is written in small ones, too, for a scale at which these can be read
    const line = (text, y) => {
      const large = written(text, y, size, "");
      if (size <= SMALL || large.textContent === text) return [large];
      large.classList.add("large");
      return [large, written(text, y - (size - SMALL) * 0.36, SMALL, "small")];
    };
    // one line of a split is its name: where a card is low, or a pill lies over what would be the second
    const alone = h <= 2 * CHIP || (row.below && pane.data.orientation !== "LR"), first = named && (!alone || !row.leaf);
    const texts = first && alone ? line(row.named, row.below ? 2 : size * 0.36) : first ? [...line(row.named, -5), ...line(row.short, 19)] : line(row.short, size * 0.36);
    const groups = pane.shades && row.bars[0] ? this.bar(row.bars[0], 13 - w / 2, h / 2 - 10, w - 18) : [];
    return svg("g", { class: "chip" }, this.face(""), stripe, ...texts, ...groups);
  }

  card() {
    const [w, h] = this.size, { row, pane } = this, wide = !pane.data.stacked;
    const face = this.face("card-face");
    if (row.lift !== undefined) face.style.fill = pane.colors.shade(row.tint, row.lift, 38);
    else if (!pane.data.classes.length && row.value !== undefined) face.style.fill = pane.colors.amount(row.value);
    else if (row.purity !== undefined) face.style.fill = `color-mix(in srgb, ${this.tint()} ${Math.round(row.leaf ? 4 + 22 * row.purity : 2 + 10 * row.purity)}%, var(--paper))`;
    const card = svg("g", { class: "card" }, face);
    const left = -w / 2 + PAD, right = w / 2 - PAD;
    const font = row.leaf ? STRONG : TITLE;
    const room = w - 2 * PAD;
    let y = -h / 2 + 17;
    const put = (x, line, text, end, className, limit, face) =>
      card.append(label({ class: className, x, y: line, "text-anchor": end ? "end" : "start" }, fitted(text, limit, pane.font(face))));
    // a count is exact wherever it leaves room for the beginning and the end of a name
    const above = this.countBeside(row.title, font, room - 8, true), n = wide ? above : this.countBeside(row.part, FACT, room - 6);
    const count = pane.width(n, FACT), moves = !wide && n !== row.n && above === row.n;
    if (moves) {
      put(left, y, row.title, false, row.leaf ? "strong" : "title", room - pane.width(row.n, FACT) - 8, font);
      put(right, y, row.n, true, "fact", room, FACT);
      y += 16;
      put(left, y, row.part, false, "fact", room, FACT);
    } else if (wide) {
      put(left, y, row.title, false, row.leaf ? "strong" : "title", room - count - 8, font);
      put(right, y, n, true, "fact", room, FACT);
    } else {
      put(left, y, row.title, false, row.leaf ? "strong" : "title", room, font);
      y += 16;
      put(left, y, n, false, "fact", room, FACT);
      put(right, y, row.part, true, "fact", room - count - 6, FACT);
    }
    // what it answers while its branches are pruned away
    if (!row.leaf) put(left, -h / 2 + 17, row.answer, false, "strong instead", wide || moves ? room - pane.width(above, FACT) - 8 : room, STRONG);
    for (const [name, text] of row.lines ?? []) {
      y += 15;
      // the figure before its name: that gives way, down to half of the line
      const beside = text ? Math.min(pane.width(text, FACT), Math.max(room - pane.width(name, FACT), room / 2) - 6) : 0;
      put(left, y, name, false, "fact", room - (beside && beside + 6), FACT);
      put(right, y, text, true, "fact", beside, FACT);
    }
    const figure = wide && row.part !== row.title ? fitted(row.part, room / 2, pane.font(FACT)) : "", kept = figure ? pane.width(figure, FACT) + 7 : 0;
    const curved = row.curve && !pane.shades; // of equal width on all cards that have a figure beside it: times are compared
    if (curved) card.append(survivalCurve(row.curve, left, y + 6, room - (figure && Math.max(kept, FIGURE)), pane.data.size[1] - h / 2 - y - 11));
    else
      row.bars.forEach((bar, i) => {
        const top = y + 8 + 7 * i;
        card.append(...this.bar(bar, left, top, room - kept));
      });
    // the mean of an inner node: where its branches are pruned away the title says it
    if (figure) card.append(label({ class: row.part === row.answer ? "fact open" : "fact", x: right, y: y + 15, "text-anchor": "end" }, figure));
    if (row.bars.length > 1 && !curved) card.classList.add("twins");
    if (row.high) card.append(this.parted(left, room));
    return card;
  }

  /* What its split parts, at the foot of the card. */
  parted(left, room) {
    const high = this.row.high - this.pane.data.size[1] - 4, picture = splitPicture(this.pane, this.row.histogram, room, high);
    picture.setAttribute("transform", `translate(${left} ${this.row.high / 2 - high - 3})`);
    return picture;
  }

  /* Its count, in fewer letters where a text beside it needs the room; a long name gives way, cut in its middle. */
  countBeside(text, face, room, givesWay = false) {
    const { row, pane } = this, left = Math.max(room - pane.width(text, face), givesWay ? room / 2 : 0), counts = [row.n, ...(row.fewer ?? [])];
    return counts.find((count) => pane.width(count, FACT) <= left) ?? counts.at(-1);
  }

  /* The mix of classes, or of the groups of a column; or a mean on the scale of the tree. */
  bar(bar, left, top, room) {
    const { shades, colors } = this.pane, high = shades ? 6 : 4;
    if (bar === null) return [svg("rect", { class: "rail", x: left, y: top, width: room, height: high, rx: 1 })];
    if (bar.band) return this.spreadBar(bar, left, top, room, high);
    if (typeof bar === "number")
      return [svg("rect", { class: "rail", x: left, y: top, width: room, height: high, rx: 1 }), svg("rect", { class: "mean", x: left, y: top, width: Math.max(1, room * bar), height: high, rx: 1 })];
    let x = left;
    return bar.map(([index, share]) => {
      const wide = room * share, part = svg("rect", { x: x.toFixed(2), y: top, width: Math.max(0.4, wide - (wide > 3 ? 1 : 0)).toFixed(2), height: high, rx: 0.8 });
      part.setAttribute("fill", index < 0 ? "var(--line)" : (shades ?? colors).fill(index));
      x += wide;
      return part;
    });
  }

  /* A mean on the scale of the tree, and a thin band one standard deviation to either side. */
  spreadBar({ mean, band: [from, to] }, left, top, room, high) {
    const part = (className, x, width, tall) => svg("rect", { class: className, x: (left + x).toFixed(1), y: top + (high - tall) / 2, width: Math.max(1, width).toFixed(1), height: tall, rx: 1 });
    return [part("rail", 0, room, 2), part("deviation", room * from, room * (to - from), high), part("mean", Math.min(room - 2.5, Math.max(0, room * mean - 1.25)), 2.5, high + 3)];
  }

  badge(sign, text, side, r = 8, beside = 0) {
    const [w, h] = this.size;
    const title = svg("title");
    title.textContent = text;
    return svg("g", { class: "badge", transform: `translate(${side * (w / 2 - 7 - beside)} ${8 - r - (beside ? 1 : 0) - h / 2})` }, title, svg("circle", { r }), label({ "text-anchor": "middle", y: 4 }, sign));
  }

  /* How many nodes are not shown below this one; opens them. */
  more(count) {
    const [w, h] = this.size, text = `+${count.toLocaleString("en")}`, wide = 14 + this.pane.width(text, FACT);
    this.pillWide = wide;
    const place = this.pane.data.orientation === "LR" ? `translate(${w / 2 + wide / 2 + 3} 0)` : `translate(0 ${h / 2 + 3})`;
    const title = svg("title");
    title.textContent = `Open ${count.toLocaleString("en")} more nodes`;
    return svg("g", { class: "pill", transform: place }, title, svg("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }), label({ "text-anchor": "middle", y: 4.5 }, text));
  }

  /* The folded branch as a silhouette: at its foot as wide as its leaves, whose number there stands for `most`. */
  spread(most, others) {
    const [w, h] = this.size, wide = this.pane.data.orientation === "LR";
    const half = Math.max(1.5, (((wide ? h + 8 : w + 12) / 2) * this.row.folded) / most), reach = Math.min(WEDGE, this.free(half, others));
    this.wedge.setAttribute("d", wide ? `M${w / 2} 0L${w / 2 + reach} ${-half}V${half}Z` : `M0 ${h / 2}L${half} ${h / 2 + reach}H${-half}Z`);
  }

  /* Pixels below it (or behind it) before the condition of another node, or its card. others : those of its pane. */
  free(half, others) {
    const [w, h] = this.size, wide = this.pane.data.orientation === "LR";
    const boxes = others.filter((node) => node !== this).flatMap((node) => node.boxes());
    const [along, across, edge] = wide ? [0, 1, this.row.x + w / 2] : [1, 0, this.row.y + h / 2], middle = wide ? this.row.y : this.row.x; // where they will have come to rest
    const met = boxes.filter((box) => box[along] >= edge - 2 && box[across] < middle + half + 2 && box[across] + box[across + 2] > middle - half - 2);
    return Math.max(12, Math.min(...met.map((box) => box[along] - edge - 2), WEDGE));
  }

  /* Rows without the value that no branch took: out of the card and back. */
  rest() {
    return svg("g", { class: "rest" }, svg("path", { class: "route" }), label({}, ""));
  }

  /* Their text, as long as it ends before what stands beside it and before the end of the drawing; beside a card that
     lies close under this one they leave at the top. boxes : [node, ...box] of all nodes of its pane. */
  tellRest(boxes) {
    const [w, h] = this.size, { row, pane } = this, sideways = pane.data.orientation === "LR", x = sideways ? 10 - w / 2 : w / 2 - 34, left = row.x + x + 25; // clear of edges
    const room = (top) => Math.min(pane.data.width + BEYOND, ...boxes.filter(([node, at, y, wide, high]) => node !== this && at + wide > left && y < top + REST && y + high > top).map(([, at]) => at)) - left - 4;
    const under = room(row.y + h / 2 + 1), over = sideways ? room(row.y - h / 2 - 1 - REST) : under, font = pane.font(FACT);
    const side = over > under && widthOf(row.rest, font) > under ? -1 : 1, [line, text] = this.resting.children;
    line.setAttribute("d", `M${x} ${(side * h) / 2}c0 ${17 * side} 20 ${17 * side} 20 0`);
    set(text, { x: x + 25, y: side > 0 ? h / 2 + 13 : -h / 2 - 5 });
    text.textContent = missingText(row.rest, Math.max(under, over * (side < 0)), font);
  }

  /* ------------------------------------------------------------ place */

  move(x, y) {
    this.x = x;
    this.y = y;
    this.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  /* Where the edge from a parent begins and ends, which way it leaves, and how wide it is. */
  ends(parent) {
    const [w, h] = this.size, [parentWide, parentHigh] = parent.size, wide = this.pane.data.orientation === "LR";
    const ends = wide ? [parent.x + parentWide / 2, parent.y, this.x - w / 2, this.y] : [parent.x, parent.y + parentHigh / 2, this.x, this.y - h / 2];
    return { ends, wide, thick: this.thick ?? 1 };
  }

  /* The line from the parent, as wide as its rows, and the condition at its end. */
  connect(parent) {
    if (!parent) return;
    const { ends: [x0, y0, x1, y1], wide } = this.ends(parent);
    const path = wide
      ? `M${x0} ${y0}C${(x0 + x1) / 2} ${y0} ${(x0 + x1) / 2} ${y1} ${x1} ${y1}`
      : `M${x0} ${y0}C${x0} ${(y0 + y1) / 2} ${x1} ${(y0 + y1) / 2} ${x1} ${y1}`;
    this.edge.setAttribute("d", path);
    if (this.row.came) this.route.setAttribute("d", this.row.alone ? path : beside([x0, y0, x1, y1], wide, this.aside));
    this.condition.setAttribute("transform", wide ? `translate(${(x1 - 5).toFixed(1)} ${y1.toFixed(1)})` : `translate(${x1.toFixed(1)} ${(y1 - 6).toFixed(1)})`);
  }

  /* Pixels from the middle of the edge to that of the route beside it. */
  get aside() {
    return this.thick / 2 + ASIDE;
  }

  /* lines : of the condition, and the last one how many came without a value where some did. */
  dressEdge(lines) {
    const { row } = this, wide = this.pane.data.orientation === "LR", parent = this.pane.nodes.get(row.parent)?.row.y, up = row.y < parent, down = row.y > parent + 1;
    const stamp = JSON.stringify([lines, wide, up, down, row.share, row.came, row.alone, row.gathers]);
    if (stamp === this.conditionStamp) return;
    this.conditionStamp = stamp;
    this.thick = 1 + 7 * Math.sqrt(row.share);
    this.edge.setAttribute("stroke-width", this.thick.toFixed(1));
    this.edge.classList.toggle("alone", Boolean(row.alone));
    this.route.classList.toggle("on", Boolean(row.came));
    const step = 13, half = this.thick / 2, route = row.came && !row.alone ? ASIDE + 2 : 0;
    const above = -4 - half - (up ? route : 0), below = 14 + half + (up ? 0 : route);
    // a line stands on the side from which its edge does not come; of two, each stands on one side
    const first = wide ? (down && lines.length === 1 ? below : above) : -step * (lines.length - 1);
    this.under = wide && first === below;
    this.told = [Math.max(0, ...lines.map((line) => this.pane.width(line, FACT))), step * lines.length + 3];
    const rows = lines.map((line, i) => [line, wide && i ? below : first + step * i, this.pane.width(line, FACT) + 8]);
    const plates = rows.map(([, y, long]) => svg("rect", { class: "plate", x: wide ? 4 - long : -long / 2, y: y - 10.5, width: long, height: wide ? 13 : 16.5, rx: 3 })); // down to the card: no stub of the edge is left
    const title = row.came ? [svg("title")] : [];
    for (const made of title) made.textContent = `${row.came}: rows without a value of ${this.pane.nodes.get(row.parent)?.row.title}`;
    this.condition.replaceChildren(...title, ...plates, ...rows.map(([line, y], i) => this.line(line, i > 0 && row.gathers && !row.came, { x: 0, y, "text-anchor": wide ? "end" : "middle" })));
  }

  /* A line of the condition; squares have the colours of the classes that the branch gathers. */
  line(text, ofClasses, place) {
    if (!ofClasses) return label(place, text);
    const found = label({ ...place, "aria-hidden": "true" }, "");
    [...text].forEach((square, i) => {
      const part = svg("tspan", { fill: this.pane.colors.fill(this.row.gathers[i]) });
      part.textContent = square;
      found.append(part);
    });
    return found;
  }

  /* What is written beside the card, as [left, top, width, height]: the condition and the pill. */
  around() {
    const [w, h] = this.size, wide = this.pane.data.orientation === "LR", found = [];
    if (this.told?.[0]) {
      const [long, high] = this.told;
      found.push(wide ? [this.x - w / 2 - 5 - long, this.y - (this.under ? 2 : 20), long, 26 + (high > 20 ? 10 : 0)] : [this.x - long / 2, this.y - h / 2 - 6 - high, long, high]);
    }
    if (this.pill) found.push(wide ? [this.x + w / 2, this.y - 11, this.pillWide + 3, 22] : [this.x - this.pillWide / 2, this.y + h / 2 - 8, this.pillWide, 24]);
    return found;
  }

  /* The same and the card, where they will have come to rest. */
  boxes() {
    const { x, y } = this.row, [w, h] = this.size;
    return [...this.around().map(([left, top, ...size]) => [left + x - this.x, top + y - this.y, ...size]), [x - w / 2, y - h / 2, w, h]];
  }

  /* All that is drawn of it. */
  parts() {
    return [this.group, this.edge, this.route, this.condition];
  }

  remove() {
    for (const part of this.parts()) part.remove();
  }
}
