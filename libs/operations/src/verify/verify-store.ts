import { type EventStore } from '#event-sourcing';

import { readLog } from '../log-pages.js';
import { type ChainVerdict, type StreamChain, ChainWalk } from './chain-walk.js';

const maxConcurrentReads = 16;

/**
 * Checks the whole log of an event store in one pass, and that reads of every stream still return its first event: KurrentDB hides
 * deleted and truncated events from reads of the stream. Holds the end of every chain in memory; changes nothing.
 */
export async function verifyStore(store: EventStore): Promise<ChainVerdict> {
  const walk = new ChainWalk();
  const chains = new Map<string, StreamChain>();
  for await (const page of readLog(store, await store.head()))
    for (const event of page) {
      const { stream } = event;
      const chain = chains.get(stream) ?? walk.begin(stream, stream);
      chains.set(stream, chain);
      chain.take(event);
    }
  await findHidden(store, [...chains]);
  return walk.verdict();
}

/** Deleting and truncating hide at least the first event. */
async function findHidden(
  store: EventStore,
  chains: readonly (readonly [stream: string, chain: StreamChain])[],
): Promise<void> {
  for (let from = 0; from < chains.length; from += maxConcurrentReads) {
    const batch = chains.slice(from, from + maxConcurrentReads);
    const firsts = await Promise.all(
      batch.map(([stream]) => store.readStream(stream, { limit: 1 })),
    );
    for (const [at, [, chain]] of batch.entries())
      if (firsts[at]?.[0]?.version !== 1) chain.break(1, 'hidden');
  }
}
