/** To a part of what it is: nobody gains from more. */
const exact = 1 / 200;
const charactersOfToken = 4;

/** The greatest length whose cost is at most `most`, nearly; `from` where none is. Costs grow with lengths. */
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
    // Where costs do not grow with the guess as expected, halves do.
    guess = near > low && near < high ? near : Math.ceil((low + high) / 2);
  }
  return low;
}
