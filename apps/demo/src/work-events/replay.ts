import { isVisible } from '#event-sourcing';

import { forEachConcurrently } from '../input/concurrency.js';
import { clientWithKey, DemoClient } from '../server/demo-client.js';
import { type Stage } from '../stage.js';
import { Progress } from '../terminal/progress.js';
import { Actor, type ReplayWatcher, type Turn } from './actor.js';
import { type FinalItem, type WorkEvent } from './work-event.schema.js';

const setupConcurrency = 16;

export type Replay = Readonly<{
  /** The ids of the stored events that the server acknowledged, by item. */
  acknowledged: ReadonlyMap<string, readonly string[]>;
  conflicts: number;
  seconds: number;
}>;

type ReadyActor = Readonly<{ client: DemoClient; turns: readonly Turn[] }>;

/** Creates the items, then plays all actors concurrently. */
export async function replay(
  stage: Stage,
  events: readonly WorkEvent[],
  finals: readonly FinalItem[],
): Promise<Replay> {
  const actors = await setUp(stage, events, finals);
  const acknowledged = new Map<string, string[]>();
  let conflicts = 0;
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const progress = new Progress(stage.terminal, events.length, 'events stored', () => {
    return `${conflicts} conflicts retried, ${seconds().toFixed(1)} s`;
  });
  const watcher: ReplayWatcher = {
    acknowledged: ({ itemId }, written) => {
      const ids = acknowledged.get(itemId) ?? [];
      acknowledged.set(itemId, [...ids, ...written.events.map(({ eventId }) => eventId)]);
      progress.advance();
    },
    conflicted: () => (conflicts += 1),
  };
  await Promise.all(actors.map(({ client, turns }) => new Actor(client, watcher).play(turns)));
  return { acknowledged, conflicts, seconds: seconds() };
}

/** Returns the turns of every actor, in the order of the log. */
export function turnsByActor(events: readonly WorkEvent[]): ReadonlyMap<string, readonly Turn[]> {
  const lastOfItem = new Map<string, number>();
  const turns = new Map<string, Turn[]>();
  for (const event of events) {
    const own = turns.get(event.actor) ?? [];
    own.push({ event, previousId: lastOfItem.get(event.itemId) ?? null });
    turns.set(event.actor, own);
    lastOfItem.set(event.itemId, event.id);
  }
  return turns;
}

/** Creates a key for every actor and a context for every item. */
async function setUp(
  stage: Stage,
  events: readonly WorkEvent[],
  finals: readonly FinalItem[],
): Promise<readonly ReadyActor[]> {
  const { server, signal } = stage;
  const admin = new DemoClient(server, server.adminKey, signal);
  const titles = new Map(finals.map(({ id, title }) => [id, title]));
  const items = new Set(events.map(({ itemId }) => itemId));
  await forEachConcurrently(items, setupConcurrency, async (contextId) => {
    const title = titles.get(contextId)?.slice(0, 500) ?? '';
    const body = { contextId, title: isVisible(title) ? title : contextId };
    await admin.write({ path: 'contexts', body });
  });
  const actors: ReadyActor[] = [];
  for (const [agentId, turns] of turnsByActor(events))
    actors.push({ client: await clientWithKey(admin, stage, { role: 'agent', agentId }), turns });
  return actors;
}
