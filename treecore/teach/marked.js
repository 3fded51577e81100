/* Marks the answers of a sheet. DATA: what is right, the hints and the arithmetic; nothing leaves the page. */

const [UNTOUCHED, WRONG, RIGHT, HELPED] = [0, 1, 2, 3];
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const data = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0))));
const fields = []; // in the order of the answers, which is not that of the page
for (const field of document.querySelectorAll("[data-field]")) fields[field.dataset.field] = field;
const states = fields.map(() => UNTOUCHED), helped = data.tasks.map(() => 0);
const sketches = []; // of the questions whose answer is a tree to be drawn
const kept = `sheet ${data.mark} ${data.variant}`;

/* "0.94", "0,94" and "13/14" are numbers. */
function number(text) {
  const parts = text.trim().replace(/\u2212/g, "-").replace(",", ".").split("/");
  if (parts.length > 2 || parts.some((part) => !/^\s*-?(\d+\.?\d*|\.\d+)\s*$/.test(part))) return NaN;
  return parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
}

function isRight(field, { value, within, right }) {
  if (right) return right.includes(Number(field.value));
  return Math.abs(number(field.value) - value) <= within + 1e-9;
}

function check(t) {
  const { first, blanks } = data.tasks[t], told = document.querySelector(`#q${t} .told`);
  let right = 0, empty = 0;
  blanks.forEach((blank, i) => {
    const field = fields[first + i], given = field.value.trim() !== "";
    const fits = given && isRight(field, blank);
    right += fits;
    empty += !given;
    // who has read the arithmetic has been helped, whatever is written then
    if (!(fits && states[first + i] === RIGHT)) states[first + i] = !given ? UNTOUCHED : !fits ? WRONG : helped[t] > 2 ? HELPED : RIGHT;
    field.setAttribute("aria-invalid", String(given && !fits));
    field.parentElement.dataset.mark = !given ? "" : fits ? "✓" : "✗";
  });
  told.textContent = `${right} of ${blanks.length} right${empty ? `, ${empty} empty` : ""}${ties(t)}`;
  sketches[t]?.draw();
  sum();
}

/* Where an attribute was asked that gains as much as the one below which the sheet goes on. */
function ties(t) {
  const { paths, blanks, first } = data.tasks[t], words = [];
  paths.forEach((path, i) => {
    const field = fields[first + i], below = paths.find((other) => other.length === path.length + 1 && path.every((step, k) => String(step) === String(other[k])));
    const goesOn = below?.at(-1)[0];
    if (goesOn === undefined || field.value === "" || Number(field.value) === goesOn || !isRight(field, blanks[i])) return;
    words.push(`${field.options[goesOn + 1].text.replace(/^asks /, "")} gains as much as ${field.selectedOptions[0].text.replace(/^asks /, "")}: choose it to draw the rest`);
  });
  return words.length ? `. ${words.join("; ")}.` : "";
}

/* First the rule, then what is wrong, then all of the arithmetic. */
function hint(t) {
  helped[t] = Math.min(helped[t] + 1, 3);
  if (helped[t] === 2) check(t);
  show(t);
  sum();
}

function show(t) {
  const { hint: rule, key } = data.tasks[t], box = document.querySelector(`#q${t} .hint`), again = document.querySelector(`#q${t} .help`);
  const steps = [];
  if (helped[t] > 0) steps.push(paragraph(rule || "Read the question once more: it has the formula."));
  if (helped[t] > 1) steps.push(paragraph("What is marked ✗ is not right yet."));
  if (helped[t] > 2) steps.push(...key.map(paragraph));
  box.replaceChildren(...steps);
  again.textContent = helped[t] < 2 ? "Hint" : "Show the arithmetic";
  again.disabled = helped[t] > 2;
}

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function paragraph(text) {
  const found = document.createElement("p");
  found.textContent = text;
  return found;
}

function sum() {
  const right = states.filter((state) => state === RIGHT).length, later = states.filter((state) => state === HELPED).length;
  document.getElementById("points").textContent = `${right} of ${fields.length} right${later ? `, ${later} more once the arithmetic was shown` : ""}`;
  document.getElementById("code").textContent = code();
  try {
    localStorage.setItem(kept, JSON.stringify({ values: fields.map((field) => field.value), states, helped }));
  } catch { /* a page that may keep nothing */ }
}

/* Variant, mark, two bits an answer, and a check of all: as the one who reads it has it. */
function code() {
  const packed = new Array(Math.ceil(states.length / 4)).fill(0);
  states.forEach((state, i) => { packed[i >> 2] |= state << (2 * (i % 4)); });
  const body = [1, data.variant >> 8, data.variant & 255, data.mark >> 16, (data.mark >> 8) & 255, data.mark & 255, ...packed];
  let crc = 0xffff;
  for (const byte of body) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  const bits = [...body, crc >> 8, crc & 255].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.padEnd(Math.ceil(bits.length / 5) * 5, "0").match(/.{5}/g).map((five) => LETTERS[parseInt(five, 2)]).join("");
  return letters.match(/.{1,4}/g).join("-");
}

function restore() {
  let found = null;
  try {
    found = JSON.parse(localStorage.getItem(kept));
  } catch { /* nothing was kept */ }
  if (!Array.isArray(found?.values) || found.values.length !== fields.length) return;
  found.values.forEach((value, i) => { fields[i].value = value; });
  found.helped.forEach((value, t) => { helped[t] = value; });
  found.states.forEach((value, i) => { states[i] = value; });
}

restore();
data.tasks.forEach((task, t) => {
  document.querySelector(`#q${t} .check`).addEventListener("click", () => check(t));
  document.querySelector(`#q${t} .help`).addEventListener("click", () => hint(t));
  show(t);
  if (task.draws.length) sketches[t] = new Sketch(t);
});
for (const field of fields) {
  field.addEventListener("input", () => { field.parentElement.dataset.mark = ""; }); // before a tree is drawn with it
  field.addEventListener("change", sum);
}
document.getElementById("copy").addEventListener("click", async () => {
  const told = document.getElementById("copied");
  try {
    await navigator.clipboard.writeText(code());
    told.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(document.getElementById("code"));
    told.textContent = "Marked: copy it with Ctrl+C";
  }
});
sum();
