import { type CountTokens, fit } from './budget.js';
import { fenced } from './quoting.js';

type PageOf<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

type PageRequest<Page extends PageOf<unknown>> = Readonly<{
  /** Requests a page of at most `limit` items. */
  read: (limit: number) => Promise<Page>;
  limit: number;
  render: (items: Page['items']) => string;
}>;

/**
 * Returns a page whose items all fit, so that its cursor leads to the first item after it. If a page is too long, requests a
 * shorter one. If a single item does not fit, returns its beginning, and `isCut` is true.
 */
export async function fittingPage<Page extends PageOf<unknown>>(
  { read, limit, render }: PageRequest<Page>,
  tokens: number,
  count: CountTokens,
): Promise<Readonly<{ page: Page; text: string; isCut: boolean }>> {
  for (let maxItems = limit; ;) {
    const page = await read(maxItems);
    const size = page.items.length;
    const fitting = await fit(
      { size, render: (units) => render(page.items.slice(0, units)) },
      tokens,
      count,
    );
    if (fitting.taken === size) return { page, text: fitting.text, isCut: false };
    if (size === 1) {
      const text = await beginningOf(render(page.items), tokens, count);
      return { page, text, isCut: true };
    }
    maxItems = Math.max(1, fitting.taken);
  }
}

/** Returns the beginning of a text that fits, quoted once more, because it may end within a quotation. */
export async function beginningOf(
  text: string,
  tokens: number,
  count: CountTokens,
): Promise<string> {
  const render = (units: number) => fenced(`${text.slice(0, units)}…`);
  return (await fit({ size: text.length, render }, tokens, count)).text;
}
