import { z } from 'zod';

import { type StoredEvent } from '../server/demo-client.js';

/** An actor's knowledge of one item, updated by its own writes and by the missed events of conflicts. */
export type ItemCopy = Readonly<{
  version: number;
  /** The last known event of the log; null if there is none. */
  lastId: number | null;
}>;

const outputOfStep = z.object({ stepId: z.string() });
const stepOfEvent = /^event-(\d+)$/;

export const createdItem: ItemCopy = { version: 1, lastId: null };

/** Each event of the log is the output of a separate step, so that other actors can wait for it. */
export function stepIdOf(eventId: number): string {
  return `event-${eventId}`;
}

/** Applies stored events to a copy in order; known events change nothing. */
export function catchUp(copy: ItemCopy, events: readonly StoredEvent[]): ItemCopy {
  return events
    .filter(({ version }) => version > copy.version)
    .reduce<ItemCopy>(
      ({ lastId }, event) => ({ version: event.version, lastId: logIdOf(event) ?? lastId }),
      copy,
    );
}

/** Returns the id in the log of a stored event; undefined for other events. */
export function logIdOf({ type, data }: Pick<StoredEvent, 'type' | 'data'>): number | undefined {
  if (type !== 'StepOutputAdded') return undefined;
  const output = outputOfStep.safeParse(data);
  const id = output.success ? stepOfEvent.exec(output.data.stepId)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}
