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
import { type ContextStretch, findChanges } from './changed-items.js';
import { type SearchScope, searchedKeys, writeChanges } from './index-context.js';
import { type SearchProgress, lockProgress, movePlaces } from './search-progress.js';

/** Maximum bytes of payloads that one transaction reads, and items that it looks up: an event may have thousands. */
const [maxPayloadBytes, maxItems] = [8 * 1_048_576, 4_096];

/** Events of one context, in their order and without a gap. */
type ContextEvents = Readonly<{ id: ContextId; events: readonly StoredEvent[] }>;

/** Indexes the next events of a context together with those of others, or by `indexContext`, or not at all. */
type Plan = ContextStretch | 'index-alone' | 'pass-over';

/**
 * Brings the search rows of all contexts in a part of the log up to these events, in one transaction of a dozen statements.
 * Returns the contexts that have to be indexed by themselves: those with a restore, a fork, rows of other code, events that are
 * missing here, or payloads or items beyond the limits. Contexts that another process has locked, or that failed, are passed over.
 */
export async function indexBatch(
  { db }: SearchScope,
  log: readonly StoredEvent[],
): Promise<readonly ContextId[]> {
  const contexts = contextsIn(log);
  if (contexts.length === 0) return [];
  return db.transaction().execute(async (trx) => {
    const plans = await makePlans(trx, contexts);
    const stretches = plans.flatMap(({ plan }) => (typeof plan === 'string' ? [] : [plan]));
    const changes = await findChanges(trx, stretches, maxPayloadBytes);
    await writeChanges(trx, stretches, changes);
    const written = stretches.filter((_, nth) => changes[nth]);
    await movePlaces(
      trx,
      written.map(({ workspace, contextId, to: version }) => ({ workspace, contextId, version })),
    );
    const beyond = stretches.filter((_, nth) => !changes[nth]);
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
  const places = byContext(await lockProgress(trx, ids));
  const heads = byContext(await findHeads(trx, liveTables, ids));
  return runInSlices(plansFor(contexts, places, heads));
}

function* plansFor(
  contexts: readonly ContextEvents[],
  places: ReadonlyMap<string, SearchProgress>,
  heads: ReadonlyMap<string, ContextHead>,
): Steps<Readonly<{ id: ContextId; plan: Plan }>[]> {
  const plans: Readonly<{ id: ContextId; plan: Plan }>[] = [];
  let items = 0;
  for (const context of contexts) {
    const name = contextStream(context.id);
    const place = places.get(name);
    const plan = place ? yield* planFor(context, place, heads.get(name)) : 'pass-over';
    const count = typeof plan === 'string' ? 0 : plan.keys.length;
    const fits = items + count <= maxItems;
    if (fits) items += count;
    plans.push({ id: context.id, plan: fits ? plan : 'index-alone' });
  }
  return plans;
}

/** A context that failed is tried again by itself, after a while. */
function* planFor(
  { id, events }: ContextEvents,
  { version, current, failed }: SearchProgress,
  head: ContextHead | undefined,
): Steps<Plan> {
  if (failed) return 'pass-over';
  if (!current || !head) return 'index-alone';
  const next = events.filter((event) => event.version > version && event.version <= head.version);
  const [first] = next;
  if (!first) return 'pass-over';
  const decoded = first.version === version + 1 ? yield* decodeAll(next) : undefined;
  if (!decoded || decoded.some((event) => baseOf(id.contextId, event))) return 'index-alone';
  return { ...id, keys: searchedKeys(decoded), after: version, to: version + next.length };
}

/** Undefined if one of them cannot be read: the same error is thrown, and noted, when its context is indexed by itself. */
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
