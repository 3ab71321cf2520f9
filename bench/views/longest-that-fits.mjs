/** The relative precision of the result. */
const exact = 1 / 200;
const charactersOfToken = 4;

/** Approximates the greatest length with a cost of at most `most`; `from` if there is none. Costs grow with lengths. */
export function longestThatFits({ most, cost, from, to }) {
  let [low, high] = [from, to];
  let guess = Math.min(to, Math.max(from, most * charactersOfToken));
  while (high - low > Math.max(1, low * exact)) {
    const spent = cost(guess);
    if (spent <= most) low = guess;
    else high = guess - 1;
    if (low >= high) break;
    const scaled = Math.floor((guess * most) / Math.max(spent, 1));
    const near = Math.abs(scaled - guess) < guess * 0.02 ? scaled - 4 : scaled;
    // If costs do not grow as expected, the interval is halved.
    guess = near > low && near < high ? near : Math.ceil((low + high) / 2);
  }
  return low;
}
