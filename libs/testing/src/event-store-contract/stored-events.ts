import { randomUUID } from 'node:crypto';

import {
  type EventStore,
  type EventToAppend,
  type Position,
  type StoredEvent,
} from '#event-sourcing';

/** The name of a stream that does not exist yet. */
export function newStream(label: unknown = 'contract'): string {
  return `${typeof label === 'string' ? label : 'contract'}-${randomUUID()}`;
}

/** New events with new ids. */
export function newEvents(count: number): EventToAppend[] {
  return upTo(count).map((n) => ({
    eventId: randomUUID(),
    type: 'Happened',
    data: JSON.stringify({ n }),
    metadata: '{}',
  }));
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The next `count` events, or a few more, as a subscriber receives them. */
export async function collect(
  store: EventStore,
  after: Position | 'start',
  count: number,
): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  await follow(store, { after, batchSize: 100 }, async (batch) => {
    seen.push(...batch);
    return seen.length < count;
  });
  return seen;
}

export async function follow(
  store: EventStore,
  from: { after: Position | 'start'; batchSize: number },
  each: (batch: readonly StoredEvent[]) => Promise<boolean>,
): Promise<void> {
  const ended = new AbortController();
  try {
    for await (const batch of store.subscribeAll({ ...from, signal: ended.signal }))
      if (!(await each(batch))) return;
  } finally {
    ended.abort();
  }
}

/** Every event after a position. */
export async function readLog(
  store: EventStore,
  after: Position | 'start',
): Promise<StoredEvent[]> {
  const log: StoredEvent[] = [];
  for (let from: Position | 'start' | undefined = after; from;) {
    const page: StoredEvent[] = await store.readAll({ after: from, limit: 1_000 });
    log.push(...page);
    from = page.at(-1)?.position;
  }
  return log;
}

export async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

export function ids(stored: readonly { eventId: string }[]): string[] {
  return stored.map(({ eventId }) => eventId);
}

export function expectContiguous(
  log: readonly StoredEvent[],
  batch: readonly EventToAppend[],
): void {
  const start = log.findIndex(({ eventId }) => eventId === batch[0]?.eventId);
  expect(ids(log.slice(start, start + batch.length))).toEqual(ids(batch));
}
