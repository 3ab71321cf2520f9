import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { forEachConcurrently } from '../input/concurrency.js';
import { contextPath, DemoClient, type StoredEvent, storedEvent } from '../server/demo-client.js';
import { type Stage } from '../stage.js';
import { logIdOf } from './item-copy.js';
import { type Replay } from './replay.js';
import { type WorkEvent } from './work-event.schema.js';

const readers = 8;

/** The state of the store after the replay, read through the API. */
export type Verification = Readonly<{
  /** Number of events of the log that are stored completely, on their item, in order and by their actor. */
  complete: number;
  /** Ids of acknowledged events that are missing. */
  lost: readonly string[];
  /** Status by item, from the documents. */
  statuses: ReadonlyMap<string, string>;
}>;

const documentSchema = z.looseObject({ globalContext: z.looseObject({ status: z.string() }) });
const outputSchema = z.object({ stepId: z.string(), output: z.unknown() });

export async function verify(
  { server, signal }: Stage,
  events: readonly WorkEvent[],
  { acknowledged }: Replay,
): Promise<Verification> {
  const admin = new DemoClient(server, server.adminKey, signal);
  const statuses = new Map<string, string>();
  const lost: string[] = [];
  let complete = 0;
  const items = Map.groupBy(events, ({ itemId }) => itemId);
  await forEachConcurrently(items, readers, async ([itemId, inLog]) => {
    const stored = await admin.readAll(storedEvent, contextPath(itemId, 'events'));
    const ids = new Set(stored.map(({ eventId }) => eventId));
    lost.push(...(acknowledged.get(itemId) ?? []).filter((eventId) => !ids.has(eventId)));
    complete += countComplete(inLog, stored);
    const { globalContext } = await admin.read(documentSchema, contextPath(itemId));
    statuses.set(itemId, globalContext.status);
  });
  return { complete, lost, statuses };
}

function countComplete(inLog: readonly WorkEvent[], stored: readonly StoredEvent[]): number {
  const outputs = stored.filter((event) => logIdOf(event) !== undefined);
  return inLog.filter(({ actor, record }, at) => {
    const event = outputs[at];
    if (event?.principal !== actor) return false;
    return isDeepStrictEqual(outputSchema.parse(event.data).output, record);
  }).length;
}
