/** Default number of tokens of an answer. */
export const defaultTokens = 4_000;
/** Maximum number of tokens of an answer. */
export const highestBudget = 20_000;
/** A smaller budget has no room for the last lines of an answer. */
export const lowestBudget = 1_500;
/** Tokens for the last line of an answer: version, receipt, next. */
export const closingTokens = 900;

/** An upper bound for almost every text. */
const charactersPerToken = 16;

/** Counts the tokens of a text; must not return too few. */
export type CountTokens = (text: string) => number | Promise<number>;

/** The default without a tokenizer: no byte pair encoding has more tokens than bytes. */
export function countBytes(text: string): number {
  return Buffer.byteLength(text);
}

/** The result of {@link fit}: a rendered part of the source, and its number of units. */
type FitResult = Readonly<{ text: string; taken: number }>;

/**
 * Returns the longest beginning of `size` units whose rendering has at most `tokens` tokens, or an empty text if no unit fits.
 * `render` returns the text for a number of units, so that fences around a part are counted, too.
 */
export async function fit(
  { size, render }: Readonly<{ size: number; render: (units: number) => string }>,
  tokens: number,
  count: CountTokens,
): Promise<FitResult> {
  let taken = 0;
  let text = '';
  let beyond = size + 1;
  for (let tried = size; taken < beyond - 1; tried = Math.floor((taken + beyond) / 2)) {
    const rendered = render(tried);
    if (await isWithin(rendered, tokens, count)) [taken, text] = [tried, rendered];
    else beyond = tried;
  }
  return { text, taken };
}

async function isWithin(text: string, tokens: number, count: CountTokens): Promise<boolean> {
  if (Buffer.byteLength(text) <= tokens) return true;
  if (text.length > tokens * charactersPerToken) return false;
  return (await count(text)) <= tokens;
}
