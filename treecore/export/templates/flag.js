// 1 where the row's rate is at least THRESHOLD, 0 where it is less, null without an answer.
function flag(row) {
  const found = rate(row);
  return found === null ? null : Number(found >= THRESHOLD);
}

// The number of the leaf where the row ends, 1 the riskiest; of several leaves the one that has most of the row. null
// where the row stops at a node that is no leaf.
function segment(row) {
  const most = (best, end) => (end[1] > best[1] || (end[1] === best[1] && end[0] < best[0]) ? end : best);
  return TREE.nodes[walk(row).reduce(most)[0]].segment;
}

// What THRESHOLD is compared with, as training rows have it at the end of the row's way; null without an answer.
function rate(row) {
  const ends = walk(row);
  if (ends.length === 1) return TREE.nodes[ends[0][0]].rate;
  if (ends.some(([at]) => TREE.nodes[at].rate === null)) return null;
  return total(ends.map(([at, share]) => share * TREE.nodes[at].rate));
}
