import { type Position, type ReadAll, type StoredEvent } from '#event-sourcing';

import { FeedReader } from './feed-reader.js';
import { LogSignal } from './log-signal.js';

/** A reader whose answers the test provides. */
function openFeed() {
  const reads: ReadAll[] = [];
  const answers: ((events: StoredEvent[]) => void)[] = [];
  const log = new LogSignal();
  const feed = new FeedReader((read) => {
    reads.push(read);
    return new Promise((resolve) => answers.push(resolve));
  }, log);
  return { feed, log, reads, answers };
}

const position = '7' as Position;

describe('FeedReader', () => {
  test('reads once for all subscribers at the same position', async () => {
    const { feed, reads, answers } = openFeed();
    const portions = [feed.next(position, 10), feed.next(position, 10), feed.next(position, 10)];
    expect(reads).toEqual([{ after: position, limit: 10 }]);
    answers[0]?.([]);
    const [first, ...others] = await Promise.all(portions);
    for (const other of others) expect(other).toBe(first);
  });

  test('reads separately for other positions and limits, and again after an answer', async () => {
    const { feed, reads, answers } = openFeed();
    const portions = [feed.next(position, 10), feed.next('start', 10), feed.next(position, 11)];
    expect(reads).toHaveLength(3);
    for (const answer of answers) answer([]);
    await Promise.all(portions);
    void feed.next(position, 10);
    expect(reads).toHaveLength(4);
  });

  test('returns the position known at the beginning of the read, also to subscribers that joined later', async () => {
    const { feed, log, answers } = openFeed();
    log.announce(7n);
    const first = feed.next(position, 10);
    log.announce(8n);
    const second = feed.next(position, 10);
    answers[0]?.([]);
    expect([(await first).known, (await second).known]).toEqual([7n, 7n]);
  });
});
