import { type JsonObject } from '#event-sourcing';
import { type ContextId, type DecodedEvent, createdIds, recordedStatus } from '#shared-context';

import { type WriteAnswer, type WrittenEvent } from './write-context.command.js';

/** Builds the answer to a write from its events alone, so a repeated request gets the same answer at any later time. */
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
    extraFields: only && !batch ? extraFieldsOf(only) : {},
  };
}

/** For a decision whose id this write assigned, also its status: live, or waiting for the confirmation of a person. */
function extraFieldsOf(event: DecodedEvent): JsonObject {
  const ids = createdIds(event);
  if (event.type !== 'DecisionRecorded' || ids['decisionId'] === undefined) return ids;
  return { ...ids, status: recordedStatus(event.data) };
}
