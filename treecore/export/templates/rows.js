/* Rows: the sample that was put into the page, those of the node that is picked; each can be sent down the tree. */

const sorting = { column: -1, down: false };
const LEAF = -2, ANSWER = -3;
let sentRow = -1;

// where a row ends in the tree as it is cut: parts that end in one node are one part
function endsOf(row) {
  const found = new Map();
  for (const [end, share] of ROWS.ends[row]) {
    let at = end;
    while (isGhost(at)) at = parent[at];
    found.set(at, (found.get(at) || 0) + share);
  }
  return [...found].sort((a, b) => b[1] - a[1]);
}

const isBelow = (at, node) => { for (; at >= 0; at = parent[at]) if (at === node) return true; return false; };
const rowAt = (row) => Object.fromEntries(ROWS.columns.filter(({ feature }) => feature >= 0).map(({ feature, cells }) => [TREE.features[feature].name, cells[row]]));
const answerOfRow = (row) => answerOf(endsOf(row), rowAt(row));
const answerShown = (row) => { const answer = answerOfRow(row); return answer === null ? null : TREE.classes ? NAMES[TREE.classes.indexOf(answer)] : figureText(answer); };
const cellText = (value, column) => (value === null ? "–" : column?.seen?.[value] ?? String(value));

function valueIn(row, column) {
  if (column === LEAF) return endsOf(row)[0][0];
  if (column === ANSWER) return TREE.classes ? answerShown(row) : answerOfRow(row);
  return column < 0 ? row : ROWS.columns[column].cells[row];
}

// numbers by size, texts by their letters, what is missing last
function compared(a, b) {
  const [x, y] = [valueIn(a, sorting.column), valueIn(b, sorting.column)];
  if (x === null || y === null) return (x === null) - (y === null);
  const by = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
  return sorting.down ? -by : by;
}

function listRows() {
  if (!ROWS) return;
  const wanted = find("rowfind").value.trim().toLowerCase(), all = [...ROWS.ends.keys()].filter((row) => isBelow(endsOf(row)[0][0], picked));
  const text = (row) => [answerShown(row), ...ROWS.columns.map((column) => cellText(column.cells[row], column))].join("\n").toLowerCase();
  const found = (wanted ? all.filter((row) => text(row).includes(wanted)) : all).sort((a, b) => compared(a, b) || a - b);
  const count = (many) => `${many} ${many === 1 ? "row" : "rows"}`;
  find("rowmore").textContent = `${count(all.length)} of these in node ${picked}${wanted ? `, ${found.length} found` : ""}${found.length > MOST_LISTED ? `; the first ${MOST_LISTED} are listed` : ""}`;
  find("rowlist").replaceChildren(rowHead(), ...found.slice(0, MOST_LISTED).map(rowLine));
}

function rowHead() {
  const head = element("tr");
  head.append(element("th"), heading("leaf", LEAF, true), heading(TREE.classes ? "answer" : SCALE.name, ANSWER, !TREE.classes), ...ROWS.columns.map(({ name, numeric }, c) => heading(name, c, numeric)));
  return head;
}

function heading(name, column, numeric) {
  const cell = element("th"), is = sorting.column === column, button = element("button", name + (is ? (sorting.down ? " ▾" : " ▴") : ""));
  cell.setAttribute("aria-sort", is ? (sorting.down ? "descending" : "ascending") : "none");
  if (numeric) cell.className = "number";
  button.dataset.column = column;
  button.addEventListener("click", () => {
    Object.assign(sorting, { column, down: is && !sorting.down });
    listRows();
    document.querySelector(`#rowlist [data-column="${column}"]`).focus();
  });
  cell.append(button);
  return cell;
}

function rowLine(row) {
  const line = element("tr"), first = element("td"), button = element("button", "▸"), ends = endsOf(row);
  button.title = "Send this row down the tree";
  button.setAttribute("aria-label", `Send row ${row + 1} down the tree`);
  button.addEventListener("click", () => send(row));
  first.append(button);
  line.className = row === sentRow ? "sent" : "";
  line.append(first, rowCell(ends[0][0], true), rowCell(cellText(answerShown(row)), !TREE.classes));
  line.append(...ROWS.columns.map((column) => rowCell(cellText(column.cells[row], column), column.numeric)));
  line.dataset.row = row;
  return line;
}

function rowCell(text, numeric) {
  const cell = element("td", String(text));
  cell.title = cell.textContent;
  if (numeric) cell.className = "number";
  return cell;
}

// as What if does; a feature that was left out is not known here, so that the leaf alone tells the way
function send(row) {
  for (const field of document.querySelectorAll("[data-feature]")) {
    const f = Number(field.dataset.feature), column = ROWS.columns.find(({ feature }) => feature === f), value = column ? column.cells[row] : null;
    const level = value === null || isNumber(f) ? null : levelOf(value, TREE.features[f]);
    field.value = value === null ? "" : isNumber(f) ? String(value) : String(Math.max(TREE.features[f].levels.indexOf(level), -1));
    if (field.value === "-1") field.value = "";
  }
  sentRow = row;
  light(endsOf(row), rowAt(row));
  canvas.reveal(lit[0][0]);
  listRows();
  find("rowmore").textContent = `Row ${row + 1}: ${find("answer").textContent} (node ${lit.map(([at]) => at).join(", ")})`;
  document.querySelector(`#rowlist [data-row="${row}"] button`)?.focus({ preventScroll: true });
}

function rows() {
  if (!ROWS) return;
  find("tab-rows").hidden = false;
  find("rowsof").textContent = `${ROWS.told}. ▸ sends a row down the tree.`;
  find("rowfind").addEventListener("input", listRows);
}
