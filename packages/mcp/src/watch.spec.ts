import { jest } from '@jest/globals';

import { toolContextAnswering } from './tool-context.fixture.js';
import { watch, watchable } from './watch.js';

const uri = 'throughline://c/view/all';
const view = (text: string, version: number) =>
  Response.json({ text, version, receipt: `r1.${version}`, items: [] });

describe('a watch', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Watches a view with these successive texts; `answers` are the versions of events in the answers to long polls. */
  async function watching(texts: readonly string[], answers: readonly (readonly number[])[]) {
    const stop = new AbortController();
    const counts = { waits: 0, reads: 0, changes: 0 };
    const toolContext = toolContextAnswering(({ pathname }) => {
      if (pathname.endsWith('/view')) return view(texts[counts.reads++] ?? '', counts.reads);
      const versions = answers[counts.waits++] ?? [];
      return Response.json({ items: versions.map((version) => ({ version })) });
    });
    const part = (await watchable(toolContext, [uri], stop.signal))?.get(uri);
    if (!part) throw new Error('the view cannot be watched');
    const ended = watch(toolContext, part, {
      changed: () => counts.changes++,
      signal: stop.signal,
    });
    const stopped = () => {
      stop.abort();
      return ended;
    };
    return { counts, stopped };
  }

  it('reports a change only if the text has changed', async () => {
    const { counts, stopped } = await watching(['a', 'a', 'b', 'b', 'a'], [[2], [3], [4], [5]]);
    await jest.advanceTimersByTimeAsync(10_000);
    await stopped();
    expect([counts.reads, counts.changes]).toEqual([5, 2]);
  });

  it('pauses between long polls that are answered immediately', async () => {
    const { counts, stopped } = await watching(['a'], []);
    await jest.advanceTimersByTimeAsync(5_000);
    await stopped();
    expect(counts.waits).toBeGreaterThan(1);
    expect(counts.waits).toBeLessThanOrEqual(11);
  });
});
