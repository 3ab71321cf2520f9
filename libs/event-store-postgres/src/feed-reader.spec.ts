import { type Position, type ReadAll, type StoredEvent } from '#event-sourcing';

import { FeedReader } from './feed-reader.js';
import { LogSignal } from './log-signal.js';

/** A reader whose answers the test gives. */
function openFeed() {
  const asked: ReadAll[] = [];
  const answers: ((events: StoredEvent[]) => void)[] = [];
  const log = new LogSignal();
  const feed = new FeedReader((read) => {
    asked.push(read);
    return new Promise((resolve) => answers.push(resolve));
  }, log);
  return { feed, log, asked, answers };
}

const position = '7' as Position;

describe('the reader of the feed', () => {
  test('reads once for all who wait at the same place', async () => {
    const { feed, asked, answers } = openFeed();
    const portions = [feed.next(position, 10), feed.next(position, 10), feed.next(position, 10)];
    expect(asked).toEqual([{ after: position, limit: 10 }]);
    answers[0]?.([]);
    const [first, ...others] = await Promise.all(portions);
    for (const other of others) expect(other).toBe(first);
  });

  test('reads apart for other places and other counts, and again when asked again', async () => {
    const { feed, asked, answers } = openFeed();
    const portions = [feed.next(position, 10), feed.next('start', 10), feed.next(position, 11)];
    expect(asked).toHaveLength(3);
    for (const answer of answers) answer([]);
    await Promise.all(portions);
    void feed.next(position, 10);
    expect(asked).toHaveLength(4);
  });

  test('says what was known when the read began, to those too who joined it later', async () => {
    const { feed, log, answers } = openFeed();
    log.announce(7n);
    const first = feed.next(position, 10);
    log.announce(8n);
    const second = feed.next(position, 10);
    answers[0]?.([]);
    expect([(await first).known, (await second).known]).toEqual([7n, 7n]);
  });
});
