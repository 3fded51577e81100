/* An ordinary CSV file as a table, read as treecore.read_table reads it. What is out of the ordinary is refused, or its column
   is left out, in a sentence: the same table, or none. RULES has the words and patterns of the library. */

const CsvTable = (() => {
  const MOST_ROWS = 100_000, MOST_COLUMNS = 1_000, MOST_BYTES = 60_000_000;
  const SAMPLE_BYTES = 1 << 16, SAMPLE_RECORDS = 200, MOST_ABOVE = 50, LOOKED_UP = 2_000;
  const DELIMITERS = [",", ";", "\t", "|"];
  const IN_APP = "Open the file in the app, which reads such files.";
  const SPACES = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
  const OUTER = new RegExp(`^${SPACES}|${SPACES}$`, "g");
  const isInk = (code) => code > 32 && code < 127;
  const strip = (text) => (isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1)) ? text : text.replace(OUTER, ""));
  const whole = (pattern, flags = "u") => new RegExp(`^(?:${pattern})$`, flags);
  const MISSING = new Set(RULES.missing), AMONG_NUMBERS = new Set([...RULES.missing, ...RULES.missing_among_numbers]);
  const isDigit = (code) => code >= 48 && code <= 57;
  const FORMATS = RULES.formats.map((written) => ({ ...written, fits: whole(written.pattern) }));
  const [PLAIN] = FORMATS;
  const NUMBER = whole(RULES.number), A_NUMBER = whole(RULES.a_number), UNIT_WORD = whole(RULES.unit_word);
  const MINUSES = new RegExp(RULES.minuses, "gu"), UNSEEN = new RegExp(RULES.unseen, "gu"), ZEROS_FIRST = whole(RULES.label_like);
  const DATES = RULES.dates.map((pattern) => whole(pattern)), NO_BREAK = /[\u00a0\u2009\u202f]/g;
  const INFINITE = /^[+-]?inf(inity)?$/i, SEPARATED = /\d[.,]\d/, NOT_ASCII = /[^\0-\x7f]/;
  const TENS = Array.from({ length: 16 }, (_, n) => 10 ** n), QUOTE = 34, LINE_FEED = 10, RETURN = 13, POINT = 46;

  function refuse(what, remedy = IN_APP) {
    throw new Error(`${what}. ${remedy}`);
  }

  // the order of code points, as treecore sorts texts; JavaScript's own is that of half characters
  function byCodePoint(a, b) {
    const n = Math.min(a.length, b.length);
    for (let i = 0; i < n; i += 1) {
      const x = a.charCodeAt(i), y = b.charCodeAt(i);
      if (x !== y) return (x >= 0xd800 && x < 0xe000) === (y >= 0xd800 && y < 0xe000) ? x - y : x >= 0xd800 && x < 0xe000 ? 1 : -1;
    }
    return a.length - b.length;
  }

  const quoted = (text) => `“${text.length > 60 ? `${text.slice(0, 57)}…` : text}”`;

  // ---- from bytes to records

  function textOf(bytes) {
    if (bytes.length > MOST_BYTES) refuse(`The file has more than ${MOST_BYTES / 1e6} MB`);
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return refuse("The file is not text in UTF-8", "Save it as “CSV UTF-8”, or open it in the app.");
    }
    if (/^\s*(<!doctype|<html|<head|<body|<table|<\?xml|\{\\rtf|@relation|\[\s*[[{\]]|\{\s*("[^"\n]*"\s*:|\}))/i.test(text)) refuse("The file is no CSV file");
    const marks = startOf(bytes), isAscii = text.length === bytes.length - marks, codes = isAscii ? bytes.subarray(marks) : codesOf(text);
    const { hasControls, hasReturns } = signsOf(codes);
    if (hasControls || text.startsWith("\ufeff")) refuse("The file holds control characters");
    if (hasReturns) refuse("Lines of the file end as those of old Macs");
    if (!/\S/.test(text)) refuse("The file is empty", "Choose a file with a line of column names and rows below it.");
    if (!isAscii && /(?![0-9])\p{Nd}/u.test(text)) refuse("The file has digits of another script than 0 to 9");
    if (text.includes('\\"')) refuse("Quotes of the file have a backslash before them");
    return { text, codes, isAscii };
  }

  // behind the mark of UTF-8, where the file begins with one
  const startOf = (bytes) => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

  // the half characters of a text as an array, which is read faster
  function codesOf(text) {
    const codes = new Uint16Array(text.length);
    for (let i = 0; i < text.length; i += 1) codes[i] = text.charCodeAt(i);
    return codes;
  }

  // are there control characters but tabs and ends of lines; returns without a line feed?
  function signsOf(codes) {
    let hasControls = false, hasReturns = false;
    for (let i = 0; i < codes.length; i += 1) {
      const code = codes[i];
      if (code >= 32 && code < 127) continue;
      if (code === RETURN) hasReturns ||= codes[i + 1] !== LINE_FEED;
      else if (code < 160 && code !== 9 && code !== LINE_FEED) hasControls = true;
    }
    return { hasControls, hasReturns };
  }

  // The records of a text that are not blank: where every field begins and ends in it. A field becomes a string when somebody
  // asks for it, as a million strings take longer than all else. The line is that in which the record begins, from 1.
  class Records {
    constructor(text, codes, most) {
      Object.assign(this, { text, codes, length: 0, begins: new Int32Array(most), ends: new Int32Array(most), first: new Int32Array(most + 1), lines: new Int32Array(most) });
      this.unquoted = new Map(); // fields with a doubled quote, without it
    }

    width(i) { return this.first[i + 1] - this.first[i]; }

    field(at) { return this.unquoted.get(at) ?? this.text.slice(this.begins[at], this.ends[at]); }

    // is the field at some place of a record this text?
    holds(i, place, text) {
      const at = this.first[i] + place;
      return (this.ends[at] - this.begins[at] === text.length || this.unquoted.has(at)) && this.field(at) === text;
    }

    // { fields, line } of some records
    some(from, to) {
      return Array.from({ length: Math.max(to - from, 0) }, (_, i) => {
        const fields = Array.from({ length: this.width(from + i) }, (_, place) => this.field(this.first[from + i] + place));
        return { fields, line: this.lines[from + i] };
      });
    }

    // the first ones that hold more than spaces
    head() {
      const found = [];
      for (let i = 0; i < this.length && found.length < SAMPLE_RECORDS; i += 1) found.push(...this.some(i, i + 1).filter(({ fields }) => fields.some(strip)));
      return found;
    }
  }

  // { records, fault }: the line of a quote that is not closed as it should be, or 0
  function recordsOf(text, codes, delimiter) {
    const sign = delimiter.charCodeAt(0), n = codes.length;
    let most = 1;
    for (let i = 0; i < n; i += 1) if (codes[i] === sign || codes[i] === LINE_FEED) most += 1;
    const records = new Records(text, codes, most), { begins, ends } = records;
    let at = 0, line = 1, fault = 0, count = 0;
    while (at < n) {
      const from = count, start = line;
      let isAsked = false;
      for (;;) {
        const isQuoted = codes[at] === QUOTE;
        let inside = null, begin = at;
        if (isQuoted) {
          isAsked = true;
          begin = at += 1;
          for (;;) {
            const end = text.indexOf('"', at), close = end < 0 ? n : end;
            if (end < 0) fault ||= start;
            for (let i = at; i < close; i += 1) if (codes[i] === LINE_FEED) line += 1;
            at = close + (end >= 0);
            if (end < 0 || codes[at] !== QUOTE) {
              if (inside !== null) inside += text.slice(begin, close);
              ends[count] = close;
              break;
            }
            inside = `${inside ?? ""}${text.slice(begin, at)}`; // one of the two quotes stays
            begin = at += 1;
          }
        }
        const rest = at;
        while (at < n && codes[at] !== sign && codes[at] !== LINE_FEED) at += 1;
        const end = at < n && at > rest && codes[at] === LINE_FEED && codes[at - 1] === RETURN ? at - 1 : at;
        if (isQuoted ? end > rest : codes[rest] === 32 && /^ +"/.test(text.slice(rest, end))) fault ||= start;
        begins[count] = begin;
        if (!isQuoted) ends[count] = end;
        if (inside !== null) records.unquoted.set(count, inside);
        count += 1;
        if (at >= n || codes[at] !== sign) break;
        at += 1;
      }
      at += 1;
      line += 1;
      if (!isAsked && count === from + 1 && !/[^ \t\r\n\f\v]/.test(records.field(from))) count = from;
      else {
        records.lines[records.length] = start;
        records.length += 1;
        records.first[records.length] = count;
      }
    }
    return { records, fault };
  }

  // what share of the records is as wide as the first, or all but the first one wider; and how wide that is
  function agreement(records) {
    if (!records.length) return [0, 0];
    const width = records[0].fields.length, body = records.length - 1;
    if (!body) return [1, width];
    const count = (wide) => records.slice(1).filter(({ fields }) => fields.length === wide).length;
    const share = Math.max(count(width), records.length > 3 ? count(width + 1) : 0) / body;
    return [Number(Figures.fixed(share, 1)), width];
  }

  function delimiterOf(sample) {
    const codes = codesOf(sample);
    const found = DELIMITERS.map((delimiter) => [delimiter, ...agreement(recordsOf(sample, codes, delimiter).records.head())]);
    const splitting = found.filter(([, , width]) => width > 1);
    if (!splitting.length) refuse("The file has one column, or fields that no comma, semicolon, tab or bar separates");
    return splitting.reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[2] > best[2]) ? one : best))[0];
  }

  function sampleOf(bytes) {
    const head = new TextDecoder().decode(bytes.subarray(0, SAMPLE_BYTES));
    return bytes.length <= SAMPLE_BYTES ? head : head.slice(0, head.lastIndexOf("\n") + 1) || head;
  }

  // ---- is the first line that of the names, and the last one a row?

  function refuseOtherNames(records) {
    const [names, second] = records.some(0, 2), known = names.fields.map(strip).filter(Boolean);
    if (!known.length) refuse("The first line has no names");
    if (known.every((name) => NUMBER.test(name))) refuse("The first line holds numbers alone, so that it may be a row");
    if (/^\s*(#+|%+|\/\/)(\s|$)/.test(names.fields[0]) || /^sep=.$/i.test(names.fields[0])) refuse("The first line is a remark");
    const width = second.fields.length;
    if (names.fields.length === 1 || (width > 2 && known.length === 1)) refuse("The first line may be a title");
    const why = headingFault(records.head());
    if (why) refuse(why);
  }

  const NOTHING = 0, A_DIGIT = 1, WORD = 2;

  function kindOf(cell) {
    if (AMONG_NUMBERS.has(cell)) return NOTHING;
    return NUMBER.test(cell) || looksLikeNumber(cell) ? A_DIGIT : WORD;
  }

  const looksLikeNumber = (cell) => cell.length <= 100 && A_NUMBER.test(cell.replace(MINUSES, "-"));

  // why another line than the first may hold the names, "" where nothing speaks for it: lines that hold words in columns that
  // hold numbers below them, as the library looks for them
  function headingFault(found) {
    const width = found[0].fields.length, records = found.filter(({ fields }) => fields.length === width).map(({ fields }) => fields);
    const kinds = records.map((fields) => fields.map((cell) => kindOf(strip(cell)))), n = records.length;
    const numeric = Array.from({ length: n }, () => new Array(width).fill(false));
    for (let at = 0; at < width; at += 1) {
      let numbers = 0, known = 0;
      for (let place = n - 1; place >= 0; place -= 1) {
        numeric[place][at] = (numbers >= 3 && numbers >= 0.9 * known) || (place < Math.min(MOST_ABOVE, n - 1) && numeric[place + 1][at]);
        numbers += kinds[place][at] === A_DIGIT;
        known += kinds[place][at] !== NOTHING;
      }
    }
    const holds = (place, kind) => kinds[place].filter((one, at) => one === kind && numeric[place][at]).length;
    const same = (a, b) => a.every((cell, at) => cell === b[at]);
    const isNew = (place) => kinds[place].every((kind, at) => numeric[place][at] || kind !== WORD || !records.some((fields, other) => other > place && !same(fields, records[place]) && fields[at] === records[place][at]));
    const firstRow = kinds.findIndex((_, place) => holds(place, A_DIGIT) && !holds(place, WORD));
    if (firstRow === 0 && !isRun(records[0])) return "The first line holds numbers where the lines below do, too, so that it may be a row";
    const most = Math.min(n, MOST_ABOVE + 1), rows = firstRow < 0 ? n : firstRow;
    for (let place = 1; place < most; place += 1) {
      const isOfWords = holds(place, WORD) && !holds(place, A_DIGIT) && !records.some((fields, other) => other < place && same(fields, records[place])) && isNew(place);
      if (isOfWords && (place < rows || holds(place, WORD) > 1)) return `Line ${found[place].line} holds words where the lines below hold numbers, so that it may be one of names or units`;
    }
    const again = (place) => records[place].some((cell, at) => cell && records.some((fields, other) => other > place && fields[at] === cell));
    const isTitle = !numeric[0].some(Boolean) && n > 4 && couldBeNames(records, kinds, 1) && !couldBeNames(records, kinds, 0) && again(2) && !again(1);
    return isTitle ? "The second line may be that of the names" : "";
  }

  function couldBeNames(records, kinds, place) {
    const cells = records[place].map(strip), known = cells.filter(Boolean);
    const gaps = cells.some((cell, at) => !cell && at && kinds.some((row, other) => other > place && row[at] !== NOTHING));
    return new Set(known).size === known.length && known.every((cell) => /\p{L}/u.test(cell)) && !gaps;
  }

  // whole numbers one step apart, as years over columns are
  function isRun(cells) {
    const numbers = cells.map(strip).filter((cell) => /^\d+$/.test(cell)).map(Number);
    const steps = new Set(numbers.slice(1).map((number, i) => number - numbers[i]));
    return steps.size === 1 && !steps.has(0) && !cells.some((cell) => SEPARATED.test(cell));
  }

  const SUMMARY = whole(RULES.summary, "isu"), REMARK = whole(RULES.remark, "isu");

  function refuseFooter(records) {
    if (records.length < 5) return;
    const rows = records.some(Math.max(records.length - 50, 1), records.length), last = rows.at(-1);
    const cells = last.fields.map(strip), known = cells.filter(Boolean), above = rows.slice(0, -1);
    if (!known.length) return;
    const at = cells.indexOf(known[0]), isNew = !above.slice(0, Math.max(above.length - 9, 0)).some(({ fields }) => strip(fields[at]) === known[0]);
    const long = known[0].split(/\s+/).length > 1 && above.every(({ fields }) => strip(fields[0]).length < known[0].length);
    const isRemark = known.length === 1 && at === 0 && !looksLikeNumber(known[0]) && (REMARK.test(known[0]) || long);
    if ((SUMMARY.test(known[0]) && isNew) || isRemark) refuse(`The last line (${quoted(known[0])}) may be a total or a remark`, `Leave it out of the file, or open it in the app.`);
  }

  // names of their own: without spaces around them, empty ones filled, repeated ones numbered
  function uniqueNames(originals, notes) {
    const stripped = originals.map(strip), taken = new Set(stripped), seen = new Set(), names = [];
    const free = (name) => {
      let found = name;
      for (let k = 2; taken.has(found); k += 1) found = `${name} (${k})`;
      return found;
    };
    stripped.forEach((name, i) => {
      const made = !name ? free(`column ${i + 1}`) : seen.has(name) ? free(name) : name;
      if (!name) notes.push(`Column ${i + 1} has no name; it is called ${quoted(made)}.`);
      else if (made !== name) notes.push(`The name ${quoted(name)} occurs more than once; column ${i + 1} is called ${quoted(made)}.`);
      seen.add(made);
      taken.add(made);
      names.push(made);
    });
    return names;
  }

  // { names, originals, records, delimiter, notes, isAscii }, the rows from record 1 on; row names without a name, and an empty
  // column at the end, bring one of their own
  function fieldsOf(bytes) {
    const { text, codes, isAscii } = textOf(bytes), sample = sampleOf(bytes.subarray(startOf(bytes)));
    if ((sample.match(/(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/gm) || []).length >= 3) refuse("Fields of the file stand between single quotes");
    const delimiter = delimiterOf(sample), { records, fault } = recordsOf(text, codes, delimiter);
    if (fault) refuse(`A quote in line ${fault} is not closed, or something stands beside it`, "Correct the line, or open the file in the app.");
    if (records.length < 2) refuse("There is no row below the names", "Choose a file with rows.");
    refuseOtherNames(records);
    let [{ fields: originals }] = records.some(0, 1);
    const following = records.some(1, Math.min(SAMPLE_RECORDS + 1, records.length)), width = originals.length + 1;
    if (following.length >= 3 && following.every(({ fields }) => fields.length === width)) {
      originals = following.some(({ fields }) => fields.at(-1)) ? ["", ...originals] : [...originals, ""];
    }
    const found = (isOdd) => {
      for (let i = 1; i < records.length; i += 1) if (isOdd(i)) return i;
      return 0;
    };
    const ragged = found((i) => records.width(i) !== originals.length);
    if (ragged) refuse(`Line ${records.lines[ragged]} has ${records.width(ragged)} fields, the names are ${originals.length}`, "Correct the line, or open the file in the app.");
    if (records.length - 1 > MOST_ROWS) refuse(`The file has more than ${MOST_ROWS} rows`);
    if (originals.length > MOST_COLUMNS) refuse(`The file has more than ${MOST_COLUMNS} columns`);
    const again = found((i) => originals.every((name, place) => records.holds(i, place, name)));
    if (again) refuse(`Line ${records.lines[again]} repeats the names`, "Leave it out of the file, or open it in the app.");
    refuseFooter(records);
    const notes = [], names = uniqueNames(originals, notes);
    return { names, originals, records, delimiter, notes, isAscii };
  }

  // ---- what a column is

  // codes: which of the different cells every row holds; fields: where each of them stands first. Where the first rows hardly
  // repeat one, every further row has its own: looking them up would cost more than it saves.
  class Column {
    constructor({ records, names, originals, isAscii }, place) {
      const n = records.length - 1, codes = new Int32Array(n), fields = new Int32Array(n), counts = new Int32Array(n), known = new Map();
      let many = 0, isLookedUp = true;
      for (let row = 0; row < n; row += 1) {
        const at = records.first[row + 1] + place;
        if (row === LOOKED_UP) isLookedUp = many < row / 2;
        const cell = isLookedUp ? records.field(at) : "";
        let code = isLookedUp ? known.get(cell) : undefined;
        if (code === undefined) {
          code = many;
          if (isLookedUp) known.set(cell, code);
          fields[code] = at;
          many += 1;
        }
        counts[code] += 1;
        codes[row] = code;
      }
      Object.assign(this, { name: names[place], original: originals[place], place, n, codes, records, isAscii });
      Object.assign(this, { fields: fields.subarray(0, many), counts: counts.subarray(0, many), texts: null });
      this.numbers = numbersOf(this);
    }

    cell(code) { return strip(this.records.field(this.fields[code])); }

    // the different ones without spaces around them, in the order of the rows
    get cells() { return this.kept().cells; }

    // the same as they are seen
    get seen() { return this.kept().seen; }

    kept() {
      if (this.texts) return this.texts;
      const cells = Array.from(this.fields, (_, code) => this.cell(code));
      const seen = this.isAscii ? cells : cells.map((cell) => (NOT_ASCII.test(cell) ? strip(cell.replace(UNSEEN, "").normalize("NFC")) : cell));
      return (this.texts = { cells, seen });
    }

    // does it hold of the text of every known number? It stops at the first of which it does not.
    everyNumber(holds) {
      for (let code = 0; code < this.fields.length; code += 1) {
        const cell = this.cell(code);
        if (!AMONG_NUMBERS.has(cell) && !holds(cell)) return false;
      }
      return true;
    }
  }

  // { values by cell, NaN where missing; distinct, ranks, decimal, … }; null where the cells are no numbers, a sentence where that is open
  function numbersOf(column) {
    const plain = plainNumbers(column);
    if (plain) return plain.isKnown ? reading(plain, plain.isWhole ? [PLAIN] : [PLAIN, ...groupedFor(column, ["."])]) : null;
    const { cells } = column, known = cells.filter((cell) => !AMONG_NUMBERS.has(cell));
    if (!known.some((cell) => /\d/.test(cell) || INFINITE.test(cell))) return null;
    const fitting = FORMATS.filter(({ thousands, fits }) => !thousands && known.every((cell) => fits.test(cell))), signs = fitting.map(({ decimal }) => decimal);
    if (fitting.length === 1) return reading(writtenNumbers(cells, signs[0]), [...fitting, ...groupedFor(column, signs)]);
    const odd = known.every((cell) => INFINITE.test(cell) || looksLikeNumber(cell) || UNIT_WORD.test(cell.replace(MINUSES, "-")));
    return odd ? { odd: `Values such as ${quoted(known.find((cell) => !PLAIN.fits.test(cell)) ?? known[0])} are numbers with separators, signs or units, which this page does not read` } : null;
  }

  // the formats with one sign between thousands that fit all cells, too, though their decimal sign is another one
  const groupedFor = (column, signs) => FORMATS.filter(({ thousands, decimal, fits }) => thousands.length === 1 && !signs.includes(decimal) && column.everyNumber((cell) => fits.test(cell)));

  // of cells such as 12, -0.5, 3.1e-05 and missing ones, in one pass; null where any is something else
  function plainNumbers(column) {
    const { records, fields } = column, values = new Float64Array(fields.length);
    let isWhole = true, hasPoints = false, isSeparated = false, isLabel = false, isKnown = false;
    // the number between two places, which is all of the cell; NaN where there is none
    const numberIn = (codes, begin, end, i) => {
      const sign = codes[begin], lead = sign === 45 || sign === 43 ? begin + 1 : begin;
      let at = lead, digits = 0, number = 0, point = -1;
      for (; at < end; at += 1) {
        const code = codes[at];
        if (isDigit(code)) [digits, number] = [digits + 1, 10 * number + (code - 48)];
        else if (code === POINT && point < 0) point = at;
        else break;
      }
      if (!digits || (at < end && !PLAIN.fits.test(column.cell(i)))) return NaN;
      if (point >= 0) [isSeparated, hasPoints] = [isSeparated || (point > lead && point + 1 < at), true];
      else if (digits > 1 && (codes[lead] === 48 || digits > 15)) isLabel ||= ZEROS_FIRST.test(column.cell(i));
      if (point >= 0 || at < end) isWhole = false;
      isKnown = true;
      if (at < end || digits > 15) return Number(column.cell(i)) + 0;
      const size = point < 0 ? number : number / TENS[at - point - 1]; // both are exact, so that their quotient is the nearest double
      return (sign === 45 ? -size : size) + 0;
    };
    for (let i = 0; i < fields.length; i += 1) {
      const at = fields[i], begin = records.begins[at], end = records.ends[at], { codes } = records;
      const isBare = end > begin && isInk(codes[begin]) && isInk(codes[end - 1]) && !records.unquoted.has(at);
      if (isBare) values[i] = numberIn(codes, begin, end, i);
      else {
        const own = codesOf(column.cell(i));
        values[i] = numberIn(own, 0, own.length, i);
      }
      if (Number.isNaN(values[i]) && !AMONG_NUMBERS.has(column.cell(i))) return null;
    }
    return isWhole || hasPoints ? { values, isKnown, isWhole, isSeparated, isLabel } : null; // powers alone may be words
  }

  // the same of cells with this decimal sign
  function writtenNumbers(cells, decimal) {
    const values = Float64Array.from(cells, (cell) => (AMONG_NUMBERS.has(cell) ? NaN : Number(decimal === "," ? cell.replace(",", ".") : cell) + 0));
    return { values, isSeparated: cells.some((cell) => SEPARATED.test(cell)), isLabel: cells.some((cell) => ZEROS_FIRST.test(cell) && !AMONG_NUMBERS.has(cell)) };
  }

  // the different known numbers from small to large, and the place of every number among them, their count where it is missing
  function ranked(values) {
    const n = values.length, known = new Int32Array(n), ranks = new Int32Array(n);
    let many = 0, last = -1;
    for (let i = 0; i < n; i += 1) if (!Number.isNaN(values[i])) known[many++] = i;
    const order = Sorting.inOrder(known.subarray(0, many), Sorting.halvesOf(values)), distinct = new Float64Array(many);
    for (let place = 0; place < many; place += 1) {
      const value = values[order[place]];
      if (last < 0 || value !== distinct[last]) distinct[++last] = value;
      ranks[order[place]] = last;
    }
    if (many < n) for (let i = 0; i < n; i += 1) if (Number.isNaN(values[i])) ranks[i] = last + 1;
    return { distinct: distinct.slice(0, last + 1), ranks };
  }

  function reading({ values, isSeparated, isLabel }, formats) {
    const ranks = ranked(values), { distinct } = ranks;
    if (distinct[0] === -Infinity || distinct.at(-1) === Infinity) return { odd: "It holds infinite numbers" };
    return { values, ...ranks, decimal: formats[0].decimal, isOpen: formats.length > 1, isSeparated, isLabel };
  }

  // a column whose separator could stand between thousands is read by the others' decimal sign, or not at all
  function settle(columns) {
    const sure = columns.filter(({ numbers }) => numbers?.values && !numbers.isOpen && numbers.isSeparated);
    const signs = new Set(sure.map(({ numbers }) => numbers.decimal));
    for (const column of columns) {
      const { numbers } = column;
      if (!numbers?.isOpen || (signs.size === 1 && signs.has(numbers.decimal))) continue;
      const example = column.cells.find((cell) => SEPARATED.test(cell));
      column.numbers = { odd: `In ${quoted(example)} the ${numbers.decimal === "." ? "point" : "comma"} may be a decimal sign or stand between thousands` };
    }
  }

  const leftOut = (reason, more = {}) => ({ use: "left out", kind: "nominal", reason, ...more });

  function guess(column) {
    const { numbers, counts } = column;
    if (numbers?.odd) return leftOut(`${numbers.odd}. ${IN_APP}`, { isOdd: true });
    const found = numbers && !numbers.isLabel ? guessNumbers(column) : guessWords(column);
    const isMissing = numbers && !numbers.isLabel ? (_, i) => Number.isNaN(numbers.values[i]) : (_, i) => MISSING.has(column.seen[i]);
    return { ...found, missing: counts.filter(isMissing).reduce((sum, count) => sum + count, 0) };
  }

  function guessNumbers(column) {
    const { distinct } = column.numbers;
    const isWhole = distinct.every(Number.isInteger), more = { distinct: distinct.length, isWhole, kind: "numeric" };
    if (!distinct.length) return leftOut("Every value is missing.", { ...more, kind: "nominal" });
    const isDay = (value) => value >= RULES.first_day && value <= RULES.last_day;
    if (isWhole && distinct.every(isDay)) return leftOut(`Values such as ${quoted(String(distinct[0]))} may be dates. ${IN_APP}`, { ...more, isOdd: true });
    if (distinct.length === 1) return leftOut(`Every known value is ${Figures.exact(distinct[0])}.`, more);
    if (distinct.length === 2 && distinct[0] === 0 && distinct[1] === 1) {
      return { use: "feature", ...more, kind: "boolean", levels: ["0", "1"], reason: "Only 0 and 1 occur." };
    }
    const identifier = isWhole ? numericIdentifier(column) : "";
    if (identifier) return leftOut(`It looks like an identifier: ${identifier}.`, { ...more, countsRows: identifier.startsWith("it numbers") });
    return { use: "feature", ...more, reason: `All known values are ${isWhole ? "whole numbers" : "numbers"}.` };
  }

  const KEY_NAME = new RegExp(RULES.key_name, "u"), KEY_TAIL = new RegExp(RULES.key_tail, "u"), YEAR_NAME = new RegExp(RULES.year_name, "iu");
  const INDEX_NAME = whole(RULES.index_name, "iu");
  const isKeyName = (name) => KEY_NAME.test(name.toLowerCase()) || KEY_TAIL.test(name);

  function numericIdentifier({ original: name, place, codes, numbers, counts, n: rows }) {
    const { values, distinct } = numbers, n = distinct.length;
    const known = counts.reduce((sum, count, i) => sum + (Number.isNaN(values[i]) ? 0 : count), 0);
    if (known < 5 || n < 0.95 * known) return "";
    if (isKeyName(name)) return `its name, and ${n} different whole numbers in ${known} rows`;
    if (n < rows || YEAR_NAME.test(name)) return "";
    const low = distinct[0], high = distinct[n - 1], inSteps = high - low === n - 1;
    if (inSteps && INDEX_NAME.test(name)) return `it has no name and counts from ${low} to ${high}`;
    const isRising = codes.every((code, row) => row === 0 || values[code] > values[codes[row - 1]]), isFirst = place === 0;
    if (inSteps && (low === 0 || low === 1 || isFirst || isRising)) return `it numbers the rows from ${low} to ${high}`;
    return isFirst && isRising && n >= 20 && high - low < 2 * n ? `it rises from row to row from ${low} to ${high}` : "";
  }

  function guessWords(column) {
    const { seen, counts } = column, rows = new Map();
    seen.forEach((word, i) => { if (!MISSING.has(word)) rows.set(word, (rows.get(word) ?? 0) + counts[i]); });
    const words = [...rows.keys()], known = [...rows.values()].reduce((sum, count) => sum + count, 0), more = { distinct: words.length };
    if (!words.length) return leftOut("Every value is missing.", more);
    if (words.length === 1) return leftOut(`Every known value is ${quoted(words[0])}.`, more);
    if (column.cells.includes("NA") && words.every((word) => /^[A-Z]{2}$/.test(word))) return leftOut(`“NA” may be a missing value or a code like the others. ${IN_APP}`, { ...more, isOdd: true });
    const truths = truthLevels(words);
    if (truths === null) return leftOut(`It spells yes and no in several ways. ${IN_APP}`, { ...more, isOdd: true });
    if (truths) return { use: "feature", ...more, kind: "boolean", levels: truths, reason: `Only ${truths.join(" and ")} occur.` };
    const scale = orderedLevels(words);
    if (scale) return { use: "feature", ...more, kind: "ordinal", levels: scale, reason: `The words have a usual order: ${scale.join(" < ")}.` };
    const plain = words.map((word) => word.replace(NO_BREAK, " "));
    if (DATES.some((pattern) => plain.every((word) => pattern.test(word)))) return leftOut(`Values such as ${quoted(words[0])} may be dates, whose parts the app makes columns of.`, more);
    const identifier = wordIdentifier(column.name, known, words.length, words.reduce((sum, word) => sum + [...word].length * rows.get(word), 0) / known);
    if (identifier) return leftOut(identifier, more);
    return { use: "feature", ...more, kind: "nominal", levels: sortedWords(words), reason: `${words.length} different words without an order.` };
  }

  function wordIdentifier(name, known, distinct, length) {
    if (length > 30 && distinct > 0.5 * known && known >= 5) return `It is free text: ${distinct} different texts in ${known} rows.`;
    if (known >= 5 && distinct === known) return `Every row has a text of its own, like an identifier.`;
    const isNearly = distinct > 0.5 * known || (isKeyName(name) && distinct >= 0.95 * known);
    return known >= 20 && isNearly ? `It has ${distinct} different texts in ${known} rows, nearly one for each.` : "";
  }

  // [negative, positive] of a pair such as no and yes; undefined for other words, null for truths in several spellings
  function truthLevels(words) {
    if (words.length > 12) return undefined;
    const byWord = new Map(words.map((word) => [word.toLowerCase(), word]));
    const pair = RULES.pairs.find(([no, yes]) => words.length === 2 && byWord.size === 2 && byWord.has(no) && byWord.has(yes));
    if (pair) return pair.map((word) => byWord.get(word));
    const isTruth = (word) => RULES.literals.includes(word.toLowerCase()) || /^([+-]?(0(\.0*)?|\.0+)|\+?1(\.0*)?)$/.test(word);
    return words.every(isTruth) ? null : undefined;
  }

  // the words from lowest to highest where all belong to one usual scale
  function orderedLevels(words) {
    if (words.length < 2 || words.length > 12) return undefined;
    for (const scale of RULES.scales) {
      const places = words.map((word) => scale.findIndex((alike) => alike.includes(word.toLowerCase())));
      if (places.includes(-1) || new Set(places).size < words.length) continue;
      if (words.length < 3 && words.every((word) => [...word].length === 1)) continue;
      return words.map((word, i) => [places[i], word]).sort((a, b) => a[0] - b[0]).map(([, word]) => word);
    }
    return undefined;
  }

  const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

  // numbers by size, else in the order of letters
  function sortedWords(words) {
    const sorted = [...words].sort(byCodePoint);
    return words.every((word) => PLAIN_NUMBER.test(word)) ? sorted.sort((a, b) => Number(a) - Number(b)) : sorted;
  }

  // ---- a column as codes

  function encode(column, kind, levels) {
    return kind === "numeric" ? encodeNumbers(column) : encodeLevels(column, kind, levels);
  }

  function encodeNumbers(column) {
    const { name, numbers, codes, counts } = column;
    if (!numbers?.values) {
      const bad = column.cells.find((cell) => !AMONG_NUMBERS.has(cell) && !PLAIN.fits.test(cell)) ?? column.cells[0];
      refuse(`Column ${quoted(name)}: ${numbers?.odd ?? `${quoted(bad)} is no number`}`, "Make the column nominal, or open the file in the app.");
    }
    const { distinct, ranks: byCell } = numbers;
    const missing = counts.reduce((sum, count, i) => sum + (byCell[i] === distinct.length ? count : 0), 0);
    return { name, kind: "numeric", codes: codes.map((code) => byCell[code]), values: distinct, levels: null, missing };
  }

  function encodeLevels(column, kind, declared) {
    const { name, codes, counts, numbers } = column, areNumbers = numbers?.values && !numbers.isLabel;
    const isGuessed = areNumbers && declared && declared === column.guess.levels; // 0 and 1, with gaps as numbers have
    const isMissing = column.seen.map((word, i) => (isGuessed ? Number.isNaN(numbers.values[i]) : MISSING.has(word) && !(declared ?? []).includes(word)));
    let words = column.seen;
    if (!declared && areNumbers) words = onceEach(column, isMissing);
    const present = [...new Set(words.filter((_, i) => !isMissing[i]))], levels = declared ?? defaultLevels(present, kind);
    if (kind === "boolean" && levels.length > 2) refuse(`Column ${quoted(name)}: ${levels.length} different values cannot be boolean`, "Make the column nominal or ordinal.");
    const place = new Map(levels.map((level, i) => [level, i])), byNumber = new Map(levels.flatMap((level, i) => (PLAIN_NUMBER.test(level) ? [[Number(level), i]] : [])));
    const byCell = words.map((word, i) => {
      if (isMissing[i]) return levels.length;
      const code = place.get(word) ?? (areNumbers ? byNumber.get(numbers.values[i]) : undefined);
      return code ?? refuse(`Column ${quoted(name)}: ${quoted(word)} is not one of its levels`, "Add it to the levels, or open the file in the app.");
    });
    const missing = counts.reduce((sum, count, i) => sum + (isMissing[i] ? count : 0), 0);
    return { name, kind, codes: codes.map((code) => byCell[code]), values: null, levels: [...levels], missing };
  }

  // whole numbers of which one has several texts, such as 1 and 1.0, by each number's usual text
  function onceEach({ seen, numbers: { values } }, isMissing) {
    const known = [...values].filter((_, i) => !isMissing[i]), texts = new Set(seen.filter((_, i) => !isMissing[i]));
    if (!known.every(Number.isInteger) || new Set(known).size === texts.size) return seen;
    return seen.map((word, i) => (isMissing[i] ? "" : Figures.label(values[i])));
  }

  function defaultLevels(words, kind) {
    const usual = words.length > 50 ? undefined : kind === "boolean" ? truthLevels(words) : kind === "ordinal" ? orderedLevels(words) : undefined;
    return usual ?? sortedWords(words);
  }

  // ---- the table

  // bytes: Uint8Array. { n, names, columns, notes }; a column has its guess: use, kind, levels, reason, missing, distinct
  function read(bytes) {
    const found = fieldsOf(bytes), { names, records, delimiter, notes } = found;
    const columns = names.map((_, place) => new Column(found, place));
    settle(columns);
    for (const column of columns) column.guess = guess(column);
    for (const column of columns) if (column.guess.kind === "numeric") column.texts = null; // made again where somebody makes it one of words
    const features = columns.filter(({ guess: { use } }) => use === "feature");
    if (features.length === 1) for (const { guess: found } of columns) if (found.countsRows) Object.assign(found, { use: "feature", reason: "Whole numbers that count the rows; a feature because there is no other." });
    return { n: records.length - 1, names, columns, delimiter, notes };
  }

  // few whole numbers are classes, not a number to predict
  function targetKind({ guess: { kind, isWhole, distinct }, n }) {
    return kind === "numeric" && isWhole && distinct <= 10 && distinct * 10 <= n ? "nominal" : kind;
  }

  // the column that is probably to be predicted: one that is named as targets are, else the last
  function targetOf({ columns }) {
    const usable = columns.filter(({ guess: { use } }) => use === "feature");
    const named = RULES.target_names.map((word) => usable.findLast(({ name }) => name.toLowerCase() === word)).find(Boolean);
    return (named ?? usable.at(-1) ?? columns.at(-1)).name;
  }

  // The contract's table. kinds: { name: { kind, levels } } of columns that somebody made something else; features: names, or
  // null for those that are guessed; rows without a target are left out.
  function tableOf(source, target, kinds = {}, features = null) {
    const byName = new Map(source.columns.map((column) => [column.name, column]));
    for (const name of [target, ...(features ?? []), ...Object.keys(kinds)]) if (!byName.has(name)) refuse(`There is no column ${quoted(name)}`, "Choose another file or recipe.");
    const chosen = features ?? source.columns.filter(({ name, guess: { use } }) => use === "feature" || (kinds[name] && (kinds[name].levels || kinds[name].kind === "numeric"))).map(({ name }) => name).filter((name) => name !== target);
    if (!chosen.length) refuse("No column is left to split on", "Use more columns, or choose another target.");
    const encoded = (name, usual) => {
      const column = byName.get(name), asked = kinds[name];
      if (column.guess.isOdd) throw new Error(`Column ${quoted(name)}: ${column.guess.reason}`);
      if (asked) return encode(column, asked.kind, asked.levels);
      return encode(column, usual ?? column.guess.kind, usual && usual !== column.guess.kind ? undefined : column.guess.levels);
    };
    const wanted = encoded(target, targetKind(byName.get(target))), none = (wanted.values ?? wanted.levels).length;
    const rows = Int32Array.from({ length: source.n }, (_, i) => i).filter((row) => wanted.codes[row] !== none);
    if (!rows.length) refuse(`Every value of ${quoted(target)} is missing`, "Choose another target.");
    const columns = chosen.map((name) => encoded(name)), take = (codes) => rows.map((row) => codes[row]);
    const made = columns.map((column) => {
      const codes = take(column.codes), last = (column.values ?? column.levels).length;
      return { ...column, codes, missing: codes.reduce((sum, code) => sum + (code === last), 0) };
    });
    const codes = take(wanted.codes), classes = wanted.levels;
    if (classes && rows.length > 2 && new Set(codes).size === rows.length) refuse(`Every row of ${quoted(target)} is a class of its own`, "Choose another target, or make this one numeric if it holds numbers.");
    const numbers = classes ? null : Float64Array.from(codes, (code) => wanted.values[code]);
    return { n: rows.length, rows, names: [...source.names], features: made, target: { name: target, kind: wanted.kind, classes, labels: classes ? codes : null, numbers } };
  }

  return { read, tableOf, targetOf, targetKind, encode };
})();
