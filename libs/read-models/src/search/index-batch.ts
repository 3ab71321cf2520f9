import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type StoredEvent } from '#event-sourcing';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  baseOf,
  contextOfStream,
  contextStream,
  decodeEvent,
} from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { findHeads } from '../contexts/head-rows.js';
import { liveTables } from '../tables.js';
import { type ContextRange, findChanges } from './changed-items.js';
import { type SearchScope, searchedKeys, writeChanges } from './index-context.js';
import { type SearchProgress, lockProgress, updateProgress } from './search-progress.js';

/**
 * Maximum bytes of payloads that one transaction reads, and maximum items that it looks up: one event may touch
 * thousands.
 */
const [maxPayloadBytes, maxItems] = [8 * 1_048_576, 4_096];

/** Events of one context, in order and without a gap. */
type ContextEvents = Readonly<{ id: ContextId; events: readonly StoredEvent[] }>;

/** How to index the next events of a context: in the batch, by `indexContext`, or not now. */
type Plan = ContextRange | 'index-alone' | 'skip';

/**
 * Updates the search rows of all contexts in a part of the log up to these events, in one transaction of a dozen
 * statements. Returns the contexts that need {@link indexContext}: those with a restore, a fork, rows of older code, or
 * missing events, or payloads or items that exceed the limits. Skips contexts that another process has locked,
 * and contexts that failed.
 */
export async function indexBatch(
  { db }: SearchScope,
  log: readonly StoredEvent[],
): Promise<readonly ContextId[]> {
  const contexts = contextsIn(log);
  if (contexts.length === 0) return [];
  return db.transaction().execute(async (trx) => {
    const plans = await makePlans(trx, contexts);
    const ranges = plans.flatMap(({ plan }) => (typeof plan === 'string' ? [] : [plan]));
    const changes = await findChanges(trx, ranges, maxPayloadBytes);
    await writeChanges(trx, ranges, changes);
    const written = ranges.filter((_, nth) => changes[nth]);
    await updateProgress(
      trx,
      written.map(({ workspace, contextId, to: version }) => ({ workspace, contextId, version })),
    );
    const beyond = ranges.filter((_, nth) => !changes[nth]);
    return [...plans.filter(({ plan }) => plan === 'index-alone').map(({ id }) => id), ...beyond];
  });
}

function contextsIn(log: readonly StoredEvent[]): readonly ContextEvents[] {
  return [...Map.groupBy(log, ({ stream }) => stream)].flatMap(([stream, events]) => {
    const id = contextOfStream(stream);
    return id ? [{ id, events }] : [];
  });
}

async function makePlans(
  trx: Transaction<Database>,
  contexts: readonly ContextEvents[],
): Promise<readonly Readonly<{ id: ContextId; plan: Plan }>[]> {
  const ids = contexts.map(({ id }) => id);
  const progressOf = byContext(await lockProgress(trx, ids));
  const heads = byContext(await findHeads(trx, liveTables, ids));
  return runInSlices(plansFor(contexts, progressOf, heads));
}

function* plansFor(
  contexts: readonly ContextEvents[],
  progressOf: ReadonlyMap<string, SearchProgress>,
  heads: ReadonlyMap<string, ContextHead>,
): Steps<Readonly<{ id: ContextId; plan: Plan }>[]> {
  const plans: Readonly<{ id: ContextId; plan: Plan }>[] = [];
  let items = 0;
  for (const context of contexts) {
    const name = contextStream(context.id);
    const progress = progressOf.get(name);
    const plan = progress ? yield* planFor(context, progress, heads.get(name)) : 'skip';
    const count = typeof plan === 'string' ? 0 : plan.keys.length;
    const fits = items + count <= maxItems;
    if (fits) items += count;
    plans.push({ id: context.id, plan: fits ? plan : 'index-alone' });
  }
  return plans;
}

/** A context that failed is retried separately, after a delay. */
function* planFor(
  { id, events }: ContextEvents,
  { version, current, failed }: SearchProgress,
  head: ContextHead | undefined,
): Steps<Plan> {
  if (failed) return 'skip';
  if (!current || !head) return 'index-alone';
  const next = events.filter((event) => event.version > version && event.version <= head.version);
  const [first] = next;
  if (!first) return 'skip';
  const decoded = first.version === version + 1 ? yield* decodeAll(next) : undefined;
  if (!decoded || decoded.some((event) => baseOf(id.contextId, event))) return 'index-alone';
  return { ...id, keys: searchedKeys(decoded), after: version, to: version + next.length };
}

/** Undefined if an event cannot be decoded: `indexContext` throws the same error and records it for the context. */
function* decodeAll(events: readonly StoredEvent[]): Steps<DecodedEvent[] | undefined> {
  const decoded: DecodedEvent[] = [];
  try {
    for (const event of events) {
      decoded.push(decodeEvent(event));
      yield;
    }
    return decoded;
  } catch {
    return undefined;
  }
}

function byContext<Row extends ContextId>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [contextStream(row), row]));
}
