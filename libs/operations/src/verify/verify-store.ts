import { type EventStore } from '#event-sourcing';

import { readLog } from '../log-pages.js';
import { type ChainVerdict, type StreamChain, ChainWalk } from './chain-walk.js';

const readsAtOnce = 16;

/**
 * Walks the whole log of an event store once, and looks whether every stream still shows its first event: KurrentDB
 * hides what was deleted or truncated from reads of the stream. Keeps the end of every chain; changes nothing.
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

/** Deleting and truncating hide events from the first on. */
async function findHidden(
  store: EventStore,
  chains: readonly (readonly [stream: string, chain: StreamChain])[],
): Promise<void> {
  for (let from = 0; from < chains.length; from += readsAtOnce) {
    const some = chains.slice(from, from + readsAtOnce);
    const firsts = await Promise.all(
      some.map(([stream]) => store.readStream(stream, { limit: 1 })),
    );
    for (const [at, [, chain]] of some.entries())
      if (firsts[at]?.[0]?.version !== 1) chain.break(1, 'hidden');
  }
}
