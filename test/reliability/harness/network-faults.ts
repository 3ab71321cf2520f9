import { setTimeout as delay } from 'node:timers/promises';

import { request } from 'undici';

import { type TcpProxy } from '#testing';

import { type Figures, type Run } from './scenario.js';
import { waitUntil } from './wait-until.js';
import { Writing } from './writing.js';

/** Resolves once this number of further appends is acknowledged. */
type Progress = (appends: number) => Promise<void>;

export type Fault = Readonly<{ name: string; strike: (progress: Progress) => Promise<void> }>;

const appendsBetween = 20;
const clientCount = 8;
const jitterMs = 500;
const trickleBytes = 1_024;
const trickleMs = 3_000;

/** The faults of any network connection. */
export function faultsOf(proxy: TcpProxy): readonly Fault[] {
  return [
    { name: 'reset', strike: async () => proxy.reset() },
    {
      name: 'jitter',
      strike: async (progress) => {
        proxy.delay(jitterMs);
        await progress(4);
        proxy.delay(0);
      },
    },
    {
      name: 'trickle',
      strike: async (progress) => {
        proxy.trickle(trickleBytes);
        // Answers that take longer than the statement timeout never arrive: there is no progress until the fault ends.
        await Promise.race([progress(2), delay(trickleMs)]);
        proxy.trickle(undefined);
      },
    },
  ];
}

/**
 * Blocks all traffic until the server at `address` reports that it is not ready; after the fault it must become ready
 * again.
 */
export function blackOut(
  name: string,
  address: string,
  cut: () => unknown,
  mend: () => unknown,
): Fault {
  const isReady = async () => {
    const answer = await request(`${address}/health/ready`);
    await answer.body.dump();
    return answer.statusCode === 200;
  };
  return {
    name,
    strike: async () => {
      await cut();
      await waitUntil('a server that is not ready', async () => !(await isReady()));
      await mend();
      await waitUntil('a server that is ready again', isReady);
    },
  };
}

type Strikes = Readonly<{
  /** The number of faults, each chosen from one of the groups. */
  count: number;
  groups: readonly (readonly Fault[])[];
  /** Faults that occur once each, after the others. */
  last: readonly Fault[];
}>;

/** Causes faults while clients write; resolves with the number of each fault after all writes are stored. */
export async function strikeWhileWriting(
  { client, random }: Run,
  address: () => string,
  { count, groups, last }: Strikes,
): Promise<Figures> {
  const contexts = ['a', 'b', 'c', 'd'];
  const clients = Array.from({ length: clientCount }, (_, n) => client(`writer-${n}`, address));
  await Promise.all(contexts.map((id, n) => clients[n]?.create(id)));
  const writing = new Writing(clients, contexts, (count + last.length + 1) * appendsBetween);
  const counts: Record<string, number> = {};
  const strike = async ({ name, strike: work }: Fault) => {
    await work((appends) => writing.more(appends));
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (let n = 0; n < count; n++) {
    await writing.reached((n + 1) / (count + last.length + 1));
    await strike(random.pick(random.pick(groups)));
  }
  for (const fault of last) await strike(fault);
  await writing.finished();
  return counts;
}
