import { jest } from '@jest/globals';

import { siteAnswering } from './tool-context.fixture.js';
import { watch, watchable } from './watch.js';

const uri = 'throughline://c/view/all';
const view = (text: string, version: number) =>
  Response.json({ text, version, receipt: `r1.${version}`, items: [] });

describe('a watch', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Watches a view whose texts are read in this order, at each of these answers to waiting requests. */
  async function watching(texts: readonly string[], answers: readonly (readonly number[])[]) {
    const stop = new AbortController();
    const counts = { waits: 0, reads: 0, changes: 0 };
    const site = siteAnswering(({ pathname }) => {
      if (pathname.endsWith('/view')) return view(texts[counts.reads++] ?? '', counts.reads);
      const versions = answers[counts.waits++] ?? [];
      return Response.json({ items: versions.map((version) => ({ version })) });
    });
    const part = (await watchable(site, [uri], stop.signal))?.get(uri);
    if (!part) throw new Error('the view cannot be watched');
    const ended = watch(site, part, { changed: () => counts.changes++, signal: stop.signal });
    const stopped = () => {
      stop.abort();
      return ended;
    };
    return { counts, stopped };
  }

  it('reports a change exactly if the text is another one', async () => {
    const { counts, stopped } = await watching(['a', 'a', 'b', 'b', 'a'], [[2], [3], [4], [5]]);
    await jest.advanceTimersByTimeAsync(10_000);
    await stopped();
    expect([counts.reads, counts.changes]).toEqual([5, 2]);
  });

  it('pauses between waiting requests that are answered at once', async () => {
    const { counts, stopped } = await watching(['a'], []);
    await jest.advanceTimersByTimeAsync(5_000);
    await stopped();
    expect(counts.waits).toBeGreaterThan(1);
    expect(counts.waits).toBeLessThanOrEqual(11);
  });
});
