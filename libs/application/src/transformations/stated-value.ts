import { type JsonValue } from '#event-sourcing';
import { valueAtPath } from '#expressions';
import {
  type ContextPlace,
  type Item,
  type ItemKey,
  creationKey,
  outputValueKey,
  stepOutputKey,
} from '#shared-context';

/** The key of the item that states the value of a place; undefined if only transformations write to the place. */
export function statedKey(place: ContextPlace): ItemKey | undefined {
  switch (place.kind) {
    case 'output':
      return outputValueKey(place.agentId, place.name);
    case 'step':
      return stepOutputKey(place.stepId);
    case 'global':
      return { kind: 'global', key: place.member };
    case 'metadata':
      return creationKey;
    case 'input':
      return undefined;
  }
}

/** The value of a place in its item; undefined if the item does not contain it. */
export function statedValue(place: ContextPlace, { body }: Item): JsonValue | undefined {
  switch (place.kind) {
    case 'output':
    case 'global':
      return valueAtPath(body, place.rest);
    case 'step':
      return valueAtPath(body, ['output', ...place.rest]);
    case 'metadata':
      return valueAtPath(body, ['metadata', place.member, ...place.rest]);
    case 'input':
      return undefined;
  }
}
