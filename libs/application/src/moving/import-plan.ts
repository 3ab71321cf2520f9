import {
  type EventStore,
  type EventToAppend,
  type StoredEvent,
  openEnvelope,
} from '#event-sourcing';
import { type ContextId, contextStream } from '#read-models';
import { type Steps, runInSlices } from '#slices';

import { ImportConflictError, invalidLine } from './import.errors.js';
import { type ImportedEvent, type ImportedGroup } from './read-import.js';
import { eventIdIn, sealAgain } from './seal-again.js';

const pageSize = 64;

/** Where a group goes: `resealed` says that its events become events of another context or workspace. */
export type ImportTarget = Readonly<{
  id: ContextId;
  resealed: Readonly<{ principal: string; now: string }> | undefined;
}>;

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
    ...{ id, group, version },
    skipped: group.events.length - fresh.length,
    events: target.resealed
      ? await runInSlices(resealAll(fresh, id, target.resealed, head))
      : fresh.map((one) => one.event),
  };
}

/** The chain of the file goes on from the event before it; resealed events have a chain of their own. */
async function comparePrevious(
  store: EventStore,
  { id, resealed: again }: ImportTarget,
  { first }: ImportedGroup,
): Promise<void> {
  const before = first.event.version - 1;
  if (before === 0 || again) return;
  const [stored] = await store.readStream(contextStream(id), { from: before, limit: 1 });
  if (!stored || openEnvelope(stored.metadata).hash !== first.envelope.previousHash)
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

/** A hash stands for all there is of an event; a resealed one is known by its id and its payload. */
function isSame(
  stored: StoredEvent,
  imported: ImportedEvent | undefined,
  { id, resealed: again }: ImportTarget,
): boolean {
  if (!imported) return false;
  if (again)
    return stored.eventId === eventIdIn(id, imported) && stored.data === imported.event.data;
  return openEnvelope(stored.metadata).hash === imported.hash;
}

function* resealAll(
  events: readonly ImportedEvent[],
  id: ContextId,
  { principal, now }: NonNullable<ImportTarget['resealed']>,
  head: StoredEvent | undefined,
): Steps<EventToAppend[]> {
  const last = head ? openEnvelope(head.metadata) : { recordedAt: now, hash: null };
  const importer = { principal, recordedAt: last.recordedAt > now ? last.recordedAt : now };
  let previous = last.hash;
  const resealed: EventToAppend[] = [];
  for (const event of events) {
    yield;
    const { hash, ...sealed } = sealAgain(event, id, importer, previous);
    previous = hash;
    resealed.push(sealed);
  }
  return resealed;
}
