import { type EventStore, InvalidAppendError, checkAppend } from '#event-sourcing';
import { type ContextId, contextStream } from '#shared-context';

import { type ImportPlan } from './import-plan.js';
import { invalidLine } from './import.errors.js';
import { type ImportedEvent } from './read-import.js';

/** The maximum time by which imported events may be ahead of the clock of this server. */
const maxAheadMs = 60_000;

/**
 * Refuses events that the store would not accept, times in the future, and forks whose source is missing, before
 * anything is stored. `now`: the time of the import in milliseconds.
 */
export async function checkStorable(
  store: EventStore,
  plans: readonly ImportPlan[],
  now: number,
): Promise<void> {
  const planned = new Map<string, number>();
  for (const { id, group, version, events } of plans) {
    const fresh = group.events.slice(group.events.length - events.length);
    for (const [at, event] of events.entries()) checkEvent(contextStream(id), event, fresh[at]);
    for (const event of fresh) checkTimes(event, now + maxAheadMs);
    const [opening] = fresh;
    if (opening) await checkSource(store, { id, planned }, opening);
    planned.set(id.contextId, version + events.length);
  }
}

function checkEvent(
  stream: string,
  event: ImportPlan['events'][number],
  imported: ImportedEvent | undefined,
): void {
  try {
    checkAppend(stream, [event], 'any');
  } catch (error) {
    if (error instanceof InvalidAppendError)
      throw invalidLine(imported?.line ?? 1, '', error.message);
    throw error;
  }
}

/** Later events would get a time in the future as well, and `asOf` would no longer find the current context. */
function checkTimes({ line, recordedAt, envelope: { origin } }: ImportedEvent, latest: number) {
  const times = [
    ['/metadata/recordedAt', recordedAt],
    ['/metadata/origin/timestamp', origin?.timestamp],
  ] as const;
  for (const [pointer, time] of times)
    if (time && Date.parse(time) > latest)
      throw invalidLine(
        line,
        pointer,
        `is more than ${maxAheadMs / 1000} s ahead of the clock of this server: ${time}`,
      );
}

type ImportScope = Readonly<{ id: ContextId; planned: ReadonlyMap<string, number> }>;

/** A fork cannot be read without its source. */
async function checkSource(
  store: EventStore,
  { id, planned }: ImportScope,
  { source: forked, line }: ImportedEvent,
): Promise<void> {
  if (!forked) return;
  const { contextId, version } = forked;
  if ((planned.get(contextId) ?? 0) >= version) return;
  const source = contextStream({ workspace: id.workspace, contextId });
  const [stored] = await store.readStream(source, { from: version, limit: 1 });
  if (!stored)
    throw invalidLine(
      line,
      '/data/source',
      `this is a fork of version ${version} of "${contextId}", which is not stored: import that context first`,
    );
}
