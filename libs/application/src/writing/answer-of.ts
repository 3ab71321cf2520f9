import { type JsonObject } from '#event-sourcing';
import { type ContextId, type DecodedEvent, createdIds, recordedStatus } from '#shared-context';

import { type WriteAnswer, type WrittenEvent } from './write-context.command.js';

/** The answer to a write, from its events alone: the same when it is given again a thousand events later. */
export function answerOf(
  { id, batch }: Readonly<{ id: ContextId; batch: boolean }>,
  events: readonly DecodedEvent[],
): WriteAnswer {
  const written = events.map((event): WrittenEvent => ({
    eventId: event.eventId,
    type: event.type,
    version: event.version,
    ...createdIds(event),
  }));
  const [only] = events;
  return {
    contextId: id.contextId,
    version: events.at(-1)?.version ?? 0,
    events: written,
    made: only && !batch ? madeBy(only) : {},
  };
}

/** Of a decision that has an id by this write also the status: whether it is live, or waits for a person. */
function madeBy(event: DecodedEvent): JsonObject {
  const ids = createdIds(event);
  if (event.type !== 'DecisionRecorded' || ids['decisionId'] === undefined) return ids;
  return { ...ids, status: recordedStatus(event.data) };
}
