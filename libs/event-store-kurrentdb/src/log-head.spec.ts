import { type Position } from '#event-sourcing';

import { type LogSearch, type LogPosition, LogHead } from './log-head.js';
import { Namespace } from './namespace.js';
import { asPosition, toClientPosition } from './position.js';

const names = new Namespace('n');
const others = (count: number) => Array.from({ length: count }, () => '$stats');

/** A log with one event for each of these streams; it counts the events that a search examines on the server. */
class FakeLog implements LogSearch {
  examined = 0;
  searched: Promise<unknown> = Promise.resolve();

  constructor(private readonly streams: string[]) {}

  newest = async (): Promise<LogPosition | undefined> => {
    const stream = this.streams.at(-1);
    return stream === undefined ? undefined : { stream, position: at(this.streams.length) };
  };

  newestOfOurs = async (): Promise<Position | undefined> => {
    await this.searched;
    const found = this.streams.findLastIndex((stream) => names.fromServer(stream) !== undefined);
    this.examined += this.streams.length - Math.max(found, 0);
    return found < 0 ? undefined : asPosition(at(found + 1));
  };

  oursBehind = async (position: Position, limit: number): Promise<Position[]> => {
    const clientPosition = toClientPosition(position);
    const from = Number(clientPosition === 'start' ? 0 : clientPosition.commit);
    this.examined += this.streams.length - from;
    const behind = this.streams.flatMap((stream, n) =>
      n >= from && names.fromServer(stream) !== undefined ? asPosition(at(n + 1)) : [],
    );
    return behind.slice(0, limit);
  };
}

function at(commit: number) {
  return { commit: BigInt(commit), prepare: 0n };
}

const find = (streams: string[]) => {
  const log = new FakeLog(streams);
  return new LogHead(names, log.newestOfOurs).find(log);
};

describe('LogHead', () => {
  it('returns `start` without events of the namespace', async () => {
    expect(await find([])).toBe('start');
    expect(await find(others(2_500))).toBe('start');
  });

  it('finds the newest event of the namespace among any number of foreign events', async () => {
    expect(await find(['n-a', 'n-b', ...others(2_500)])).toBe('2/0');
    expect(await find([...others(2_500), 'n-a'])).toBe('2501/0');
  });

  it('examines foreign events only once', async () => {
    const streams = ['n-a', ...others(2_500)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    await head.find(log);
    log.examined = 0;
    streams.push(...others(3));
    expect(await head.find(log)).toBe('1/0');
    expect(log.examined).toBe(3);
    streams.push('n-b', '$stats');
    expect(await head.find(log)).toBe('2505/0');
    expect(log.examined).toBe(5);
  });

  it('searches from the end of the log if many events of the namespace were added', async () => {
    const streams = ['n-a', ...others(10)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    await head.find(log);
    streams.push(...Array.from({ length: 500 }, () => 'n-b'), '$stats');
    expect(await head.find(log)).toBe('511/0');
  });

  it('shares one search among concurrent callers and includes newer events', async () => {
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
    expect(log.examined).toBeLessThan(10);
  });

  it('finds the head of a log that was replaced', async () => {
    let log = new FakeLog(['n-a', 'n-b', ...others(30)]);
    const lasting: LogSearch = {
      newest: () => log.newest(),
      newestOfOurs: () => log.newestOfOurs(),
      oursBehind: (...args) => log.oursBehind(...args),
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

  it('searches again if the log has no event at the cached position', async () => {
    const streams = ['n-a', ...others(30)];
    const log = new FakeLog(streams);
    const head = new LogHead(names, log.newestOfOurs);
    await head.find(log);
    streams.splice(0, streams.length, ...others(40), 'n-b', '$stats');
    log.oursBehind = () => Promise.reject(new RangeError('no event there'));
    expect(await head.find(log)).toBe('41/0');
  });
});
