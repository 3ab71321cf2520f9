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

/** Who answers for events that are sealed again, and how far they are trusted at most. */
type Importer = Readonly<{
  principal: string;
  trust: Envelope['trust'];
  /** The time of the import, if the events become those of another context or workspace; otherwise they keep theirs. */
  recordedAt: string | undefined;
}>;

/** Where a group goes: with an importer its events are sealed again, otherwise they are stored as they are. */
export type ImportTarget = Readonly<{ id: ContextId; importer: Importer | undefined }>;

/** What of a group is new, behind `version` events that are there. */
export type ImportPlan = Readonly<{
  id: ContextId;
  group: ImportedGroup;
  version: number;
  skipped: number;
  events: readonly EventToAppend[];
}>;

/**
 * Compares a group with the stream it goes to: events that are there already are passed over, one that differs is
 * refused, the rest goes on from the last. Throws {@link ImportConflictError}.
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
      `the events before it are neither here nor in the file: "${id.contextId}" is at version ${version}`,
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
 * The chain of the file goes on from the event before it. What is sealed again has a chain of its own, and goes on from
 * events that were imported in the same way.
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
 * A hash stands for all there is of an event. One that became an event of another context is known by its id and its payload,
 * one that was sealed again in its place by having become just this.
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
  let last: End = head ? openEnvelope(head.metadata) : { recordedAt: '', hash: null };
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

type End = Readonly<{ recordedAt: string; hash: string | null }>;

function resealingOf(
  imported: ImportedEvent,
  id: ContextId,
  { principal, trust, recordedAt }: Importer,
  last: End,
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
