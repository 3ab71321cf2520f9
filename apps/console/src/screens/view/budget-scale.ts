/** The least and the most tokens of the slider; the field next to it accepts every budget. */
const least = 100;
const most = 1_000_000;

export const scaleSteps = 80;

/** The tokens at a step of the slider, which is logarithmic, with two significant digits. */
export function tokensAt(step: number): number {
  const tokens = least * (most / least) ** (step / scaleSteps);
  const unit = 10 ** (Math.floor(Math.log10(tokens)) - 1);
  return Math.round(tokens / unit) * unit;
}

/** The step of the slider that is nearest to a number of tokens. */
export function stepOf(tokens: number): number {
  const bounded = tokens > least ? Math.min(most, tokens) : least;
  return Math.round((scaleSteps * Math.log(bounded / least)) / Math.log(most / least));
}
