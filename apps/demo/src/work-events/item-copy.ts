import { z } from 'zod';

import { type StoredEvent } from '../server/demo-client.js';

/** What one actor knows of one item. It grows by the actor's own writes and by what conflicts say was missed. */
export type ItemCopy = Readonly<{
  version: number;
  /** The last event of the log it holds; null if it holds none. */
  lastId: number | null;
}>;

const outputOfStep = z.object({ stepId: z.string() });
const stepOfEvent = /^event-(\d+)$/;

export const createdItem: ItemCopy = { version: 1, lastId: null };

/** Every event of the log is the output of a step of its own, so that others can wait for it. */
export function stepIdOf(eventId: number): string {
  return `event-${eventId}`;
}

/** Stored events, applied to a copy in their order; those it already holds change nothing. */
export function catchUp(copy: ItemCopy, events: readonly StoredEvent[]): ItemCopy {
  return events
    .filter(({ version }) => version > copy.version)
    .reduce<ItemCopy>(
      ({ lastId }, event) => ({ version: event.version, lastId: logIdOf(event) ?? lastId }),
      copy,
    );
}

/** The id in the log of what a stored event carries. */
export function logIdOf({ type, data }: Pick<StoredEvent, 'type' | 'data'>): number | undefined {
  if (type !== 'StepOutputAdded') return undefined;
  const output = outputOfStep.safeParse(data);
  const id = output.success ? stepOfEvent.exec(output.data.stepId)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}
