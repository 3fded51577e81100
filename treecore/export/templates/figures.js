/* Numbers as treecore.figures prints them: Python rounds halves to even digits, JavaScript rounds them up. */

const Figures = (() => {
  const LARGE = 1e15;

  // JavaScript rounds exactly, but halves up; where a digit more is no 5, there is no half
  const isHalf = (more) => more.endsWith("5");

  // { digits, power } of so many significant digits, for 12.5 and 2 "12" and 1
  function significant(value, n) {
    const more = Math.abs(value).toExponential(n);
    if (!isHalf(more.slice(0, more.indexOf("e")))) {
      const [mantissa, power] = Math.abs(value).toExponential(n - 1).split("e");
      return { digits: mantissa.replace(".", ""), power: Number(power) };
    }
    const [mantissa, power] = Math.abs(value).toExponential(Math.min(100, n + 60)).split("e");
    const all = mantissa.replace(".", "");
    return rounded(all, n, Number(power));
  }

  function rounded(all, n, power) {
    const head = all.slice(0, n), tail = all.slice(n), isTie = /^50*$/.test(tail);
    const up = isTie ? "13579".includes(head.at(-1)) : tail !== "" && tail[0] >= "5";
    if (!up) return { digits: head, power };
    const digits = String(BigInt(head) + 1n).padStart(n, "0");
    return digits.length > n ? { digits: digits.slice(0, n), power: power + 1 } : { digits, power };
  }

  // with so many decimals: Python's f"{value:.3f}"
  function fixed(value, decimals) {
    const size = Math.abs(value), isWhole = size >= 1e21; // JavaScript has powers of ten from there on
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    if (!isWhole && decimals < 100 && !isHalf(size.toFixed(decimals + 1))) return sign + size.toFixed(decimals);
    const [before, after] = isWhole ? [String(BigInt(size)), "0".repeat(100)] : size.toFixed(100).split("."), n = before.length + decimals;
    const { digits, power } = rounded(before + after, n, 0), all = power ? `${digits}0` : digits;
    const whole = all.slice(0, all.length - decimals), rest = all.slice(all.length - decimals);
    return sign + whole + (decimals ? `.${rest}` : "");
  }

  // so many significant digits without a tail of zeros: Python's f"{value:.6g}"
  function general(value, n) {
    if (value === 0) return Object.is(value, -0) ? "-0" : "0";
    const { digits, power } = significant(value, n), sign = value < 0 ? "-" : "";
    if (power < -4 || power >= n) return `${sign}${scientific(digits.replace(/0+$/, "") || "0", power)}`;
    return sign + placed(digits, power).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  }

  const scientific = (digits, power) => `${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;

  // digits with the point behind the first one moved so many places
  function placed(digits, power) {
    if (power < 0) return `0.${"0".repeat(-power - 1)}${digits}`;
    const whole = digits.slice(0, power + 1).padEnd(power + 1, "0"), rest = digits.slice(power + 1);
    return rest ? `${whole}.${rest}` : whole;
  }

  // the fewest digits that read back to this very number, as Python writes them
  function repr(value) {
    if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
    const [mantissa, power] = Math.abs(value).toExponential().split("e"), digits = mantissa.replace(".", ""), at = Number(power);
    const text = at < -4 || at >= 16 ? scientific(digits, at) : placed(digits, at);
    return (value < 0 ? "-" : "") + (/[.e]/.test(text) ? text : `${text}.0`);
  }

  const exact = (value) => repr(value + 0).replace(/\.0$/, "");
  // what a number is called where it becomes a level
  const label = (value) => (Number.isInteger(value) && Math.abs(value) < LARGE ? String(value + 0) : repr(value));
  const thousands = (text, sign = ",") => text.replace(/^(-?)(\d+)/, (_, minus, whole) => minus + whole.replace(/\B(?=(\d{3})+$)/g, sign));

  function number(value) {
    return Math.abs(value) >= 1e6 && Math.abs(value) < LARGE ? fixed(value, 0) : general(value + 0, 6);
  }

  const isClose = (a, b) => Math.abs(a - b) <= Math.max(1e-9 * Math.max(Math.abs(a), Math.abs(b)), 1e-9);

  // rows or weight: whole numbers as such, others with four significant digits
  function count(value, separator = "") {
    if (!Number.isFinite(value)) return "–";
    const nearest = Math.round(value) + 0;
    if (isClose(value, nearest)) return thousands(String(BigInt(nearest)), separator);
    const digits = general(value, 4), isSmall = Math.abs(value) < 1 || (digits.includes(".") && Math.abs(value) < 1000);
    return isSmall ? digits : thousands(fixed(value, 1), separator);
  }

  // four significant digits, or more where numbers that are compared begin alike; a large one whole
  function brief(value, digits = 4) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "-∞";
    const size = Math.abs(value);
    if (size < 1e4 || size >= LARGE) return general(value + 0, digits);
    const decimals = Math.max(digits - Math.floor(Math.log10(size)) - 1, 0), text = thousands(fixed(value, decimals));
    return decimals ? text.replace(/\.?0+$/, "") : text;
  }

  function grouped(text) {
    const [, minus, whole, rest] = /^(-?)(\d*)(.*)$/s.exec(text);
    const isNumber = /^(\.|$)/.test(rest) && whole.length > 4;
    return isNumber ? minus + thousands(String(BigInt(whole))) + rest : text;
  }

  // per mille; halves go to the even digit, also those that are halves but for rounding, so that a share and the rest add up
  function tenths(share) {
    const all = 1000 * share, below = Math.floor(all), rest = all - below, isHalf = Math.abs(rest - 0.5) < 1e-7;
    return isHalf ? below + Math.abs(below % 2) : below + (rest > 0.5 ? 1 : 0);
  }

  function percent(share) {
    if (!Number.isFinite(share)) return "–";
    const text = fixed(tenths(share) / 10, 1);
    return `${share <= 0 || text !== "0.0" ? text : "<0.1"}\u00a0%`.replaceAll("-0.0", "0.0");
  }

  return { fixed, general, repr, exact, label, thousands, number, count, brief, grouped, tenths, percent };
})();
