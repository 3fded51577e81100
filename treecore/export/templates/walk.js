// The answer for a row, an object of its values by column; null where the tree has none.
// null, undefined, NaN and "" are missing values. Throws where a column is absent or no number.
function predict(row) {
  return answerOf(walk(row), row);
}

// What the tree answers where a row ends in these nodes, each with its share of the row.
function answerOf(ends, row) {
  if (ends.length === 1 && !(TREE.classes && TREE.nodes[ends[0][0]].line !== undefined)) return answerAt(ends[0][0], row);
  const mixed = mix(ends, row);
  if (mixed === null || !TREE.classes) return mixed;
  if (!TREE.costs) return TREE.classes[mixed.indexOf(Math.max(...mixed))];
  const costs = TREE.classes.map((_, k) => total(mixed.map((share, i) => share * TREE.costs[i][k])));
  return TREE.classes[costs.indexOf(Math.min(...costs))];
}

// [class, share] of each class at the end of the row's way; null where the tree has no answer, or answers numbers.
function shares(row) {
  const mixed = TREE.classes && mix(walk(row), row);
  return mixed && TREE.classes.map((name, k) => [name, mixed[k]]);
}

// [node, share] wherever the row ends: in one node, or in several where it is shared among branches.
function walk(row) {
  const waiting = [[0, 1]], ends = [];
  while (waiting.length) {
    const [at, share] = waiting.pop(), node = TREE.nodes[at];
    const branch = node.ask ? branchOf(node, row) : STAYS;
    if (branch === STAYS) ends.push([at, share]);
    else if (branch !== SHARED) waiting.push([node.children[branch], share]);
    else node.children.forEach((child, b) => {
      if (share * node.shares[b] > 0) waiting.push([child, share * node.shares[b]]);
    });
  }
  return ends;
}

// Where the node sends the row: what the first of its questions says that knows the row's value.
function branchOf(node, row) {
  for (const question of node.ask) {
    const branch = answered(question, valueOf(row, question.feature));
    if (branch !== undefined && branch !== null) return branch;
  }
  return valueOf(row, node.ask[0].feature) === null ? node.missing : node.unseen;
}

function answered(question, value) {
  if (value === null) return question.missing;
  if (typeof value === "string") return (question.levels.find(([name]) => name === value) || [])[1];
  const above = ([limit, closed]) => value > limit || (value === limit && !closed);
  return question.to[question.limits.filter(above).length];
}

// A number, the name of a level, or null for a missing value.
function valueOf(row, feature) {
  const { name, kind, levels, sum } = TREE.features[feature];
  if (sum) return summed(row, sum);
  if (!Object.hasOwn(row, name)) throw new Error("The row has no " + JSON.stringify(name));
  const value = row[name];
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  const text = levelOf(value, TREE.features[feature]);
  if (text === null) return null;
  if (kind === "number" || (kind === "bins" && !levels.includes(text))) {
    if (Number.isNaN(Number(value))) throw new Error(JSON.stringify(name) + ": " + text + " is not a number");
    return Number(value);
  }
  // a level without a place in the order cannot be compared
  return kind === "ordered" && !levels.includes(text) ? null : text;
}

// The name of the level that a value is, however it is spelled: true, "True" and 1 are one. A value that is no level
// is its own text, null a missing one.
function levelOf(value, feature) {
  if (feature.levels.includes(value)) return value;
  const text = levelText(value), word = text.toLowerCase();
  if (feature.levels.includes(text)) return text;
  if (text === "" || (word === "nan" && feature.by_value)) return null;
  const said = {
    texts: text, words: word, numbers: numberOf(value, text, feature.by_value), moments: momentOf(text),
  };
  for (const known of ["texts", "words", "numbers", "moments"]) {
    const found = (feature[known] || []).find(([wanted]) => wanted === said[known]);
    if (found) return found[1];
  }
  return text;
}

// A value as a level is written: without spaces around it and signs that cannot be seen.
function levelText(value) {
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.trim().replace(/[\u00ad\u180e\u200b\u200e\u200f\u2060\ufeff]/g, "").normalize("NFC").trim();
}

// The number that a value is or spells; null for words, and for digits that are a name, such as 007.
function numberOf(value, text, exponents) {
  if (typeof value === "number") return value;
  const digits = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text);
  if (digits && (/^[+-]?0\d+$/.test(text) || (!text.includes(".") && Math.abs(Number(text)) > 2 ** 53))) return null;
  return digits || (exponents && /^[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+$/.test(text)) ? Number(text) : null;
}

// A day or a moment, midnight being the day alone; null for another text.
function momentOf(text) {
  const found = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.\d*)?)?(?:Z|[+-]00(?::?00)?)?)?$/.exec(text);
  if (!found) return null;
  const at = (found[2] || "00:00") + ":" + (found[3] || "00");
  return at === "00:00:00" ? found[1] : found[1] + " " + at;
}

// A weighted sum of numbers, added up in this order; null where one is missing.
function summed(row, terms) {
  const values = terms.map(([feature, , fill]) => valueOf(row, feature) ?? fill);
  if (values.includes(null)) return null;
  return terms.slice(1).reduce((sum, [, weight], i) => sum + weight * values[i + 1], terms[0][1] * values[0]);
}

// What a node answers for the row: the same for every row, or by a line, of classes the log-odds of the second.
function answerAt(at, row) {
  const { answer, line } = TREE.nodes[at];
  if (line === undefined) return answer;
  if (line === null) return null;
  let [sum, terms] = line;
  for (const [feature, coefficient, fill, low, high] of terms) {
    const value = valueOf(row, feature);
    sum += coefficient * (value === null ? fill : Math.min(Math.max(value, low), high));
  }
  return sum;
}

// The shares of the classes, or the answers, of all ends by their share of the row.
function mix(ends, row) {
  if (!TREE.classes) {
    const answers = ends.map(([at]) => answerAt(at, row));
    return answers.includes(null) ? null : total(ends.map(([, share], i) => share * answers[i]));
  }
  const parts = ends.map(([at]) => sharesAt(at, row));
  return parts.includes(null) ? null : TREE.classes.map((_, k) => total(ends.map(([, share], i) => share * parts[i][k])));
}

// The share of each class at a node, by its line where it has one; null without an answer.
function sharesAt(at, row) {
  if (TREE.nodes[at].line === undefined) return TREE.nodes[at].class_shares;
  const odds = answerAt(at, row), second = 1 / (1 + Math.exp(Math.min(Math.max(-odds, -700), 700)));
  return odds === null ? null : [1 - second, second];
}

function total(terms) {
  return terms.reduce((sum, term) => sum + term, 0);
}
