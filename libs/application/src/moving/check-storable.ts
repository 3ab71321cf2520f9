import { type EventStore, InvalidAppendError, checkAppend } from '#event-sourcing';
import { type ContextId, contextStream } from '#read-models';

import { type ImportPlan } from './import-plan.js';
import { invalidLine } from './import.errors.js';
import { type ImportedEvent } from './read-import.js';

/** Refuses, before anything is stored, what a store would not take, and forks of what is nowhere. */
export async function checkStorable(
  store: EventStore,
  plans: readonly ImportPlan[],
): Promise<void> {
  const planned = new Map<string, number>();
  for (const { id, group, version, events } of plans) {
    const fresh = group.events.slice(group.events.length - events.length);
    for (const [at, event] of events.entries()) checkEvent(contextStream(id), event, fresh[at]);
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

type Around = Readonly<{ id: ContextId; planned: ReadonlyMap<string, number> }>;

/** A fork is read from its source: without it, it could not be. */
async function checkSource(
  store: EventStore,
  { id, planned }: Around,
  { source: forked, line }: ImportedEvent,
): Promise<void> {
  if (!forked) return;
  const { contextId, version } = forked;
  if ((planned.get(contextId) ?? 0) >= version) return;
  const source = contextStream({ workspace: id.workspace, contextId });
  const [there] = await store.readStream(source, { from: version, limit: 1 });
  if (!there)
    throw invalidLine(
      line,
      '/data/source',
      `this is a fork of version ${version} of "${contextId}", which is not here: import that first`,
    );
}
