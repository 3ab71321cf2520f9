import { type JsonValue } from '#event-sourcing';

import {
  type ClaimedOrigin,
  type DocumentPlace,
  type PlannedEvent,
  type ReadingNote,
} from './document-format.js';
import { itemRef } from './item-ref.js';
import { textParts } from '../exact-json/exact-json.js';

/** A value as the output of a step. */
export type PlannedOutput = Readonly<{
  stepId: string;
  output: JsonValue;
  origin?: ClaimedOrigin | undefined;
  place: DocumentPlace;
  isThinking?: boolean | undefined;
}>;

export function plannedOutput(planned: PlannedOutput): PlannedEvent {
  const { stepId, output, origin, place, isThinking = false } = planned;
  return {
    item: itemRef('step-output', stepId),
    event: {
      type: 'StepOutputAdded',
      data: { stepId, output },
      ...(isThinking && { visibility: 'working' }),
    },
    ...(origin && { origin }),
    place,
  };
}

/**
 * Outputs that contain a JSON text if an output cannot contain its value. Further parts have the id of the first one
 * with `.2`, `.3`.
 */
export function plannedTexts(
  { stepId, origin, place }: Omit<PlannedOutput, 'output'>,
  json: string,
  fault: string,
): Readonly<{ events: readonly PlannedEvent[]; note: ReadingNote }> {
  const parts = textParts(json);
  const events = parts.map((output, at) =>
    plannedOutput({ stepId: at === 0 ? stepId : `${stepId}.${at + 1}`, output, origin, place }),
  );
  const outputs = parts.length === 1 ? 'a text' : `${parts.length} texts`;
  const detail = `is stored as ${outputs} of JSON, because ${fault}`;
  return { events, note: { ...place, kind: 'changed', detail } };
}
