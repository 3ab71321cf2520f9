import { type CountTokens, fit } from './budget.js';
import { fenced } from './quoting.js';

type PageOf<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

type Wanted<Page extends PageOf<unknown>> = Readonly<{
  /** Requests a page of at most so many items. */
  read: (limit: number) => Promise<Page>;
  limit: number;
  render: (items: Page['items']) => string;
}>;

/**
 * A page of which all items are shown, so that its cursor leads to the first one that is not. If too many were asked for, fewer are.
 * Of an item that does not fit by itself the beginning is shown, and `isCut` is true.
 */
export async function fittingPage<Page extends PageOf<unknown>>(
  { read, limit, render }: Wanted<Page>,
  tokens: number,
  count: CountTokens,
): Promise<Readonly<{ page: Page; text: string; isCut: boolean }>> {
  for (let most = limit; ;) {
    const page = await read(most);
    const size = page.items.length;
    const shown = await fit(
      { size, render: (units) => render(page.items.slice(0, units)) },
      tokens,
      count,
    );
    if (shown.taken === size) return { page, text: shown.text, isCut: false };
    if (size === 1) {
      const text = await beginningOf(render(page.items), tokens, count);
      return { page, text, isCut: true };
    }
    most = Math.max(1, shown.taken);
  }
}

/** As much of a text as fits, quoted once more, as it may end within a quotation. */
export async function beginningOf(
  text: string,
  tokens: number,
  count: CountTokens,
): Promise<string> {
  const render = (units: number) => fenced(`${text.slice(0, units)}…`);
  return (await fit({ size: text.length, render }, tokens, count)).text;
}
