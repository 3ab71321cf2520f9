/** Tokens of an answer, unless the call says otherwise. */
export const defaultTokens = 4_000;
/** No answer has more. */
export const highestBudget = 20_000;
/** Less has no room for the last lines of an answer. */
export const lowestBudget = 1_500;
/** What the last lines of an answer may take: version, receipt, next. */
export const closingTokens = 900;

/** Hardly any text has more characters a token. */
const charactersPerToken = 16;

/** How many tokens a text has; it must not count too few. */
export type CountTokens = (text: string) => number | Promise<number>;

/** Where no tokenizer is given: no byte pair encoding makes more tokens than there are bytes. */
export function countBytes(text: string): number {
  return Buffer.byteLength(text);
}

/** What {@link fit} found: a part of the source, rendered, and how much of the source it is. */
type Fitting = Readonly<{ text: string; taken: number }>;

/**
 * The longest beginning of `size` units whose rendering has at most `tokens` tokens; nothing of it where not even one
 * unit fits. `render` returns the text for a number of units, so that fences around a part are counted, too.
 */
export async function fit(
  { size, render }: Readonly<{ size: number; render: (units: number) => string }>,
  tokens: number,
  count: CountTokens,
): Promise<Fitting> {
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
