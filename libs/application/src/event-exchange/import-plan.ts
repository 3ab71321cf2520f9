import {
  type Envelope,
  type EventStore,
  type EventToAppend,
  type StoredEvent,
  openEnvelope,
} from '#event-sourcing';
import { type ContextId, contextStream } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { ImportConflictError, invalidLine } from './import.errors.js';
import { type ImportedEvent, type ImportedGroup } from './read-import.js';
import { type Resealing, eventIdIn, isResealed, lowerTrust, reseal } from './reseal.js';

const pageSize = 64;

/** The principal of events that are sealed again, and their maximum trust level. */
type Importer = Readonly<{
  principal: string;
  trust: Envelope['trust'];
  /**
   * The time of the import, for events that are copied to another context or workspace; other events keep their time.
   */
  recordedAt: string | undefined;
}>;

/** The target of a group. With an importer its events are sealed again, otherwise they are stored unchanged. */
export type ImportTarget = Readonly<{ id: ContextId; importer: Importer | undefined }>;

/** The new events of a group, after the `version` events that are already stored. */
export type ImportPlan = Readonly<{
  id: ContextId;
  group: ImportedGroup;
  version: number;
  skipped: number;
  events: readonly EventToAppend[];
}>;

/**
 * Compares a group with its target stream: skips events that are already stored, refuses a different event at the same
 * version, and returns the rest. Throws {@link ImportConflictError}.
 */
export async function planImport(
  store: EventStore,
  target: ImportTarget,
  group: ImportedGroup,
): Promise<ImportPlan> {
  const { id } = target;
  const [head] = await store.readStream(contextStream(id), { direction: 'backwards', limit: 1 });
  const version = head?.version ?? 0;
  const { event, line } = group.first;
  if (event.version > version + 1)
    throw invalidLine(
      line,
      '/version',
      `the events before it are neither stored nor in the file: "${id.contextId}" is at version ${version}`,
    );
  await comparePrevious(store, target, group);
  await compareStored(store, target, group, version);
  const fresh = group.events.filter((one) => one.event.version > version);
  return {
    id,
    group,
    version,
    skipped: group.events.length - fresh.length,
    events: target.importer
      ? await runInSlices(resealAll(fresh, id, target.importer, head))
      : fresh.map((one) => one.event),
  };
}

/**
 * Checks that the hash chain of the file continues the stored event before it. Events that are sealed again get new
 * hashes, so they may continue events that were imported in the same way.
 */
async function comparePrevious(
  store: EventStore,
  { id, importer }: ImportTarget,
  { first }: ImportedGroup,
): Promise<void> {
  const before = first.event.version - 1;
  if (before === 0 || importer?.recordedAt !== undefined) return;
  const [stored] = await store.readStream(contextStream(id), { from: before, limit: 1 });
  if (!stored) throw new ImportConflictError(id.contextId, before);
  const envelope = openEnvelope(stored.metadata);
  const goesOn = envelope.hash === first.envelope.previousHash;
  if (!goesOn && !(importer && isResealed(envelope)))
    throw new ImportConflictError(id.contextId, before);
}

async function compareStored(
  store: EventStore,
  target: ImportTarget,
  { first, last, events }: ImportedGroup,
  version: number,
): Promise<void> {
  const [begin, end] = [first.event.version, Math.min(last.event.version, version)];
  for (let from = begin; from <= end; from += pageSize) {
    const limit = Math.min(pageSize, end - from + 1);
    for (const stored of await store.readStream(contextStream(target.id), { from, limit }))
      if (!isSame(stored, events[stored.version - begin], target))
        throw new ImportConflictError(target.id.contextId, stored.version);
  }
}

/**
 * Whether the stored event is the imported one. Equal hashes mean equal events. A copy in another context is recognized
 * by its id and payload, a sealed one by sealing the imported event again.
 */
function isSame(
  stored: StoredEvent,
  imported: ImportedEvent | undefined,
  { id, importer }: ImportTarget,
): boolean {
  if (!imported) return false;
  if (importer?.recordedAt !== undefined)
    return stored.eventId === eventIdIn(id, imported) && stored.data === imported.event.data;
  const { hash, previousHash, ...facts } = openEnvelope(stored.metadata);
  if (hash === imported.hash) return true;
  if (!importer) return false;
  const { principal, recordedAt, trust } = facts;
  const { eventId } = imported.event;
  return (
    hash ===
    reseal(imported, id, { eventId, facts: { principal, recordedAt, trust }, previousHash }).hash
  );
}

function* resealAll(
  events: readonly ImportedEvent[],
  id: ContextId,
  importer: Importer,
  head: StoredEvent | undefined,
): Steps<EventToAppend[]> {
  let last: LastEvent = head ? openEnvelope(head.metadata) : { recordedAt: '', hash: null };
  const resealed: EventToAppend[] = [];
  for (const event of events) {
    yield;
    const { facts, ...rest } = resealingOf(event, id, importer, last);
    const { hash, ...sealed } = reseal(event, id, { facts, ...rest });
    last = { recordedAt: facts.recordedAt, hash };
    resealed.push(sealed);
  }
  return resealed;
}

type LastEvent = Readonly<{ recordedAt: string; hash: string | null }>;

function resealingOf(
  imported: ImportedEvent,
  id: ContextId,
  { principal, trust, recordedAt }: Importer,
  last: LastEvent,
): Resealing {
  const { event, envelope } = imported;
  const at = recordedAt ?? imported.recordedAt;
  return {
    eventId: recordedAt === undefined ? event.eventId : eventIdIn(id, imported),
    facts: {
      principal,
      trust: lowerTrust(envelope.trust, trust),
      recordedAt: last.recordedAt > at ? last.recordedAt : at,
    },
    previousHash: last.hash,
  };
}
