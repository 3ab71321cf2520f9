import { forEachConcurrently } from '../input/concurrency.js';
import { clientWithKey, contextPath, DemoClient } from '../server/demo-client.js';
import { type Stage } from '../stage.js';
import { Progress } from '../terminal/progress.js';
import { type Trail } from './trail.js';
import { batchesOf, contextOf } from './trail.writes.js';

const players = 16;

export type PlayResult = Readonly<{
  /** The ids of the stored events that the server acknowledged, by context. */
  acknowledged: ReadonlyMap<string, readonly string[]>;
  seconds: number;
}>;

/** Stores each trail in a context. One key writes on behalf of all agents. */
export async function play(stage: Stage, trails: readonly Trail[]): Promise<PlayResult> {
  const client = await playerClient(stage, trails);
  const acknowledged = new Map<string, readonly string[]>();
  const started = performance.now();
  const progress = new Progress(stage.terminal, trails.length, 'trails stored');
  await forEachConcurrently(trails, players, async (trail) => {
    acknowledged.set(trail.contextId, await playTrail(client, trail));
    progress.advance();
  });
  return { acknowledged, seconds: (performance.now() - started) / 1000 };
}

async function playTrail(client: DemoClient, trail: Trail): Promise<readonly string[]> {
  const created = await client.write({ path: 'contexts', body: contextOf(trail) });
  const ids = created.events.map(({ eventId }) => eventId);
  let { version } = created;
  for (const body of batchesOf(trail)) {
    const path = contextPath(trail.contextId, 'events');
    const written = await client.write({ path, body, ifMatch: version });
    ids.push(...written.events.map(({ eventId }) => eventId));
    version = written.version;
  }
  return ids;
}

async function playerClient(stage: Stage, trails: readonly Trail[]): Promise<DemoClient> {
  const { server, signal } = stage;
  const admin = new DemoClient(server, server.adminKey, signal);
  const agents = new Set(trails.flatMap(({ chapters }) => chapters.map((each) => each.agentId)));
  const key = { role: 'agent', agentId: 'trail-player', actsFor: [...agents] } as const;
  return clientWithKey(admin, stage, key);
}
