import { type Position } from '#event-sourcing';

import { type LogSearch, type LogPosition, LogHead } from './log-head.js';
import { Namespace } from './namespace.js';
import { asPosition, toClientPosition } from './position.js';

const names = new Namespace('n');
const others = (count: number) => Array.from({ length: count }, () => '$stats');

/** A log of these streams, one event each; it counts the events that a search looks at on the server. */
class FakeLog implements LogSearch {
  looked = 0;
  searched: Promise<unknown> = Promise.resolve();

  constructor(private readonly streams: string[]) {}

  newest = async (): Promise<LogPosition | undefined> => {
    const stream = this.streams.at(-1);
    return stream === undefined ? undefined : { stream, position: at(this.streams.length) };
  };

  newestOfOurs = async (): Promise<Position | undefined> => {
    await this.searched;
    const found = this.streams.findLastIndex((stream) => names.fromServer(stream) !== undefined);
    this.looked += this.streams.length - Math.max(found, 0);
    return found < 0 ? undefined : asPosition(at(found + 1));
  };

  oursBehind = async (position: Position, most: number): Promise<Position[]> => {
    const place = toClientPosition(position);
    const from = Number(place === 'start' ? 0 : place.commit);
    this.looked += this.streams.length - from;
    const behind = this.streams.flatMap((stream, n) =>
      n >= from && names.fromServer(stream) !== undefined ? asPosition(at(n + 1)) : [],
    );
    return behind.slice(0, most);
  };
}

function at(commit: number) {
  return { commit: BigInt(commit), prepare: 0n };
}

const find = (streams: string[]) => {
  const log = new FakeLog(streams);
  return new LogHead(names, log.newestOfOurs).find(log);
};

describe('the head of the log', () => {
  it('is the start where nothing is ours', async () => {
    expect(await find([])).toBe('start');
    expect(await find(others(2_500))).toBe('start');
  });

  it('is our newest event behind any number of others', async () => {
    expect(await find(['n-a', 'n-b', ...others(2_500)])).toBe('2/0');
    expect(await find([...others(2_500), 'n-a'])).toBe('2501/0');
  });

  it('passes over what others wrote only once', async () => {
    const streams = ['n-a', ...others(2_500)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    await head.find(log);
    log.looked = 0;
    streams.push(...others(3));
    expect(await head.find(log)).toBe('1/0');
    expect(log.looked).toBe(3);
    streams.push('n-b', '$stats');
    expect(await head.find(log)).toBe('2505/0');
    expect(log.looked).toBe(5);
  });

  it('is found from the end of the log where much of ours was added', async () => {
    const streams = ['n-a', ...others(10)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    await head.find(log);
    streams.push(...Array.from({ length: 500 }, () => 'n-b'), '$stats');
    expect(await head.find(log)).toBe('511/0');
  });

  it('is not looked for anew by those who ask while a search lasts, and sees what came meanwhile', async () => {
    const streams = ['n-a', ...others(2_500)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    const { promise, resolve } = Promise.withResolvers<void>();
    log.searched = promise;
    const first = head.find(log);
    streams.push('n-b', '$stats');
    const second = head.find(log);
    resolve();
    expect(await Promise.all([first, second])).toEqual(['2502/0', '2502/0']);
    expect(log.looked).toBeLessThan(10);
  });

  it('is that of the log which is there, when it is no longer the one that was', async () => {
    let log = new FakeLog(['n-a', 'n-b', ...others(30)]);
    const lasting: LogSearch = {
      newest: () => log.newest(),
      newestOfOurs: () => log.newestOfOurs(),
      oursBehind: (...asked) => log.oursBehind(...asked),
    };
    const head = new LogHead(names, lasting.newestOfOurs);
    await head.find(lasting);
    log = new FakeLog(['$stats', 'n-c', '$stats']);
    expect(await head.find(lasting)).toBe('2/0');
    log = new FakeLog(others(2));
    expect(await head.find(lasting)).toBe('start');
    log = new FakeLog([]);
    expect(await head.find(lasting)).toBe('start');
  });

  it('is looked for anew where the log has no event at the place that was looked to', async () => {
    const streams = ['n-a', ...others(30)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    await head.find(log);
    streams.splice(0, streams.length, ...others(40), 'n-b', '$stats');
    log.oursBehind = () => Promise.reject(new RangeError('no event there'));
    expect(await head.find(log)).toBe('41/0');
  });
});
