import { countBytes } from './budget.js';
import { fittingPage } from './fitting-page.js';

/** Pages of a list; the cursor is the index of the first item after the page. */
function pagesOf(items: readonly string[], from = 0) {
  return (limit: number) => {
    const end = Math.min(from + limit, items.length);
    const nextCursor = end < items.length ? String(end) : null;
    return Promise.resolve({ items: items.slice(from, end), nextCursor });
  };
}

const render = (items: readonly string[]) => items.join('\n');

describe('a page that fits', () => {
  it('omits no item between its last item and its cursor', async () => {
    const items = Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat((n * 7) % 90)}`);
    const shown: string[] = [];
    let from: string | null = '0';
    while (from !== null) {
      const read = pagesOf(items, Number(from));
      const { page, text } = await fittingPage({ read, limit: 20, render }, 200, countBytes);
      expect(countBytes(text)).toBeLessThanOrEqual(200);
      shown.push(...text.split('\n'));
      from = page.nextCursor;
    }
    expect(shown).toEqual(items);
  });

  it('contains the beginning of an item that does not fit, and reports the cut', async () => {
    const read = pagesOf(['x'.repeat(500), 'next']);
    const { page, text, isCut } = await fittingPage({ read, limit: 20, render }, 200, countBytes);
    expect([page.nextCursor, isCut]).toEqual(['1', true]);
    expect(text).toMatch(/^```text\nx{100,}…\n```$/);
  });

  it('is empty if the list is empty', async () => {
    const result = await fittingPage({ read: pagesOf([]), limit: 20, render }, 200, countBytes);
    expect(result).toMatchObject({ text: '', isCut: false });
  });
});
