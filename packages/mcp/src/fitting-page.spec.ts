import { countBytes } from './budget.js';
import { fittingPage } from './fitting-page.js';

/** Pages of a list; the cursor is the place of the first item that a page does not hold. */
function pagesOf(items: readonly string[], from = 0) {
  return (limit: number) => {
    const end = Math.min(from + limit, items.length);
    const nextCursor = end < items.length ? String(end) : null;
    return Promise.resolve({ items: items.slice(from, end), nextCursor });
  };
}

const render = (items: readonly string[]) => items.join('\n');

describe('a page that fits', () => {
  it('leaves out no item between what it shows and where its cursor leads', async () => {
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

  it('shows the beginning of an item that does not fit by itself, and says so', async () => {
    const read = pagesOf(['x'.repeat(500), 'next']);
    const { page, text, isCut } = await fittingPage({ read, limit: 20, render }, 200, countBytes);
    expect([page.nextCursor, isCut]).toEqual(['1', true]);
    expect(text).toMatch(/^```text\nx{100,}…\n```$/);
  });

  it('is empty if there is nothing', async () => {
    const found = await fittingPage({ read: pagesOf([]), limit: 20, render }, 200, countBytes);
    expect(found).toMatchObject({ text: '', isCut: false });
  });
});
