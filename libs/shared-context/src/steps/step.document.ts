import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { mapSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { member } from '../json.js';
import { shownVersion } from '../shown-version.js';

export const stepOutputsPart = memberPart('stepOutputs', {
  schema: mapSchema.meta({ description: 'The latest output of each step, exactly as sent' }),
  searched: { shape: 'map', named: true },
  kinds: ['step-output'],
  render: renderStepOutputs,
});

/** One output as in the response to a read of its step: `{ stepId, output, name, version, recordedAt, recordedBy }`. */
export function renderStepOutput(item: Item): JsonObject {
  const body = isJsonObject(item.body) ? item.body : {};
  return {
    stepId: item.key,
    output: outputOf(item),
    name: member(body, 'name') ?? null,
    version: shownVersion(item.fromVersion),
    recordedAt: item.state['recordedAt'] ?? null,
    recordedBy: item.state['recordedBy'] ?? null,
  };
}

/** The latest outputs by step, as sent, in the order of their versions. */
function renderStepOutputs(items: readonly Item[]): JsonObject {
  return Object.fromEntries(
    items
      .filter(({ kind }) => kind === 'step-output')
      .toSorted((left, right) => left.fromVersion - right.fromVersion)
      .map((item) => [item.key, outputOf(item)]),
  );
}

function outputOf({ body }: Item): JsonValue {
  return (isJsonObject(body) ? member(body, 'output') : undefined) ?? null;
}
