/* The order of many numbers, by their bits: a comparison for each pair takes ten times as long. */

const Sorting = (() => {
  const BITS = 11, MOST = 1 << BITS;

  // 0..n-1 in the order of whole numbers of 32 bits each, the last one counting most; equals stay as they are in `order`
  function inOrder(order, keys) {
    let found = order, next = new Int32Array(order.length);
    const begin = new Int32Array(MOST + 1), n = order.length;
    for (const key of keys) {
      for (let shift = 0; shift < 32; shift += BITS) {
        begin.fill(0);
        for (let i = 0; i < n; i += 1) begin[((key[found[i]] >>> shift) & (MOST - 1)) + 1] += 1;
        if (begin.includes(n)) continue; // all are alike here
        for (let b = 0; b < MOST; b += 1) begin[b + 1] += begin[b];
        for (let i = 0; i < n; i += 1) next[begin[(key[found[i]] >>> shift) & (MOST - 1)]++] = found[i];
        [found, next] = [next, found];
      }
    }
    return found;
  }

  // [low, high] halves of doubles, none of which is missing, that are ordered as they are
  function halvesOf(values) {
    const n = values.length, bits = new Uint32Array(Float64Array.from(values).buffer), low = new Uint32Array(n), high = new Uint32Array(n);
    for (let i = 0; i < n; i += 1) {
      const isNegative = bits[2 * i + 1] >>> 31;
      low[i] = isNegative ? ~bits[2 * i] : bits[2 * i];
      high[i] = isNegative ? ~bits[2 * i + 1] : bits[2 * i + 1] ^ 0x80000000;
    }
    return [low, high];
  }

  return { inOrder, halvesOf };
})();
