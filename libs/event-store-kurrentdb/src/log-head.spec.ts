import { type ReadPosition } from '@eventstore/db-client';

import { type Place, LogHead } from './log-head.js';
import { Namespace } from './namespace.js';

/** A log of these streams, one event each, and the positions that were looked at. */
function logOf(streams: string[]) {
  const looked: bigint[] = [];
  const readBack = async (from: ReadPosition, maxCount: number): Promise<Place[]> => {
    const end = typeof from === 'object' ? Number(from.commit) : streams.length + 1;
    const found = streams
      .map((stream, n) => ({ stream, position: { commit: BigInt(n + 1), prepare: 0n } }))
      .filter(({ position }) => position.commit < end)
      .reverse()
      .slice(0, maxCount);
    looked.push(...found.map(({ position }) => position.commit));
    return found;
  };
  return { readBack, looked };
}

const others = (count: number) => Array.from({ length: count }, () => '$stats');

describe('the head of the log', () => {
  it('is the start where nothing is ours', async () => {
    const head = new LogHead(new Namespace('n'));
    expect(await head.find(logOf([]).readBack)).toBe('start');
    expect(await head.find(logOf(others(2_500)).readBack)).toBe('start');
  });

  it('is our newest event behind any number of others', async () => {
    const head = new LogHead(new Namespace('n'));
    expect(await head.find(logOf(['n-a', 'n-b', ...others(2_500)]).readBack)).toBe('2/0');
  });

  it('passes over what others wrote only once', async () => {
    const head = new LogHead(new Namespace('n'));
    const streams = ['n-a', ...others(2_500)];
    await head.find(logOf(streams).readBack);
    streams.push(...others(3));
    const { readBack, looked } = logOf(streams);
    expect(await head.find(readBack)).toBe('1/0');
    expect(looked.length).toBeLessThanOrEqual(10);
    streams.push('n-b', '$stats');
    expect(await head.find(logOf(streams).readBack)).toBe('2505/0');
  });

  it('is that of the log which is there, when it is no longer the one that was', async () => {
    const head = new LogHead(new Namespace('n'));
    await head.find(logOf(['n-a', 'n-b', ...others(30)]).readBack);
    expect(await head.find(logOf(['$stats', 'n-c', '$stats']).readBack)).toBe('2/0');
    expect(await head.find(logOf(others(2)).readBack)).toBe('start');
    expect(await head.find(logOf([]).readBack)).toBe('start');
  });
});
