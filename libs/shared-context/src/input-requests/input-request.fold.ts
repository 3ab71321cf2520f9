import { isJsonObject } from '#event-sourcing';
import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { placeOfPath } from '../context-place.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemLookup } from '../item.js';
import { asJson, defined, without } from '../json.js';
import { authorship } from '../listed-entry.js';
import { inputRequestKey, providedMembers } from './input-request.item.js';
import { type ProvidedValue, providedKey, providedValues } from './provided.item.js';

export const inputRequestFolds: EventFolds<'InputRequested' | 'InputProvided'> = {
  InputRequested: {
    touches: ({ data }) => [inputRequestKey(data.inputRequestId)],
    fold: (event) => [requestItem(event)],
  },
  InputProvided: {
    touches: ({ data }) => {
      const place = placeOfPath(data.path);
      return [inputRequestKey(data.inputRequestId), ...(place ? [providedKey(place)] : [])];
    },
    fold: (event, current) => [...answerRequest(event, current), ...placeChanges(event, current)],
  },
};

function requestItem(event: RecordedOf<'InputRequested'>): ItemChange {
  const { inputRequestId, from } = event.data;
  const { version, visibility } = event;
  const state = { status: 'open', from, version, visibility, ...authorship(event) };
  return { ...inputRequestKey(inputRequestId), state, body: asJson(event.data) };
}

/** An answer to an unknown request has no effect. */
function answerRequest(
  event: RecordedOf<'InputProvided'>,
  current: ItemLookup,
): readonly ItemChange[] {
  const { inputRequestId, value, note } = event.data;
  const answer = defined({ value, note });
  const key = inputRequestKey(inputRequestId);
  const item = current(key.kind, key.key);
  if (!item) return [];
  const request = isJsonObject(item.body) ? without(item.body, providedMembers) : {};
  return [
    {
      ...key,
      state: {
        ...item.state,
        status: 'provided',
        providedBy: authorOf(event),
        providedAt: happenedAt(event),
      },
      body: { ...request, ...asJson(answer) },
    },
  ];
}

/**
 * Every event with a path changes the item of its place, at least its version, so that the item's sources include all
 * events.
 */
function placeChanges(
  event: RecordedOf<'InputProvided'>,
  current: ItemLookup,
): readonly ItemChange[] {
  const place = placeOfPath(event.data.path);
  if (!place) return [];
  const key = providedKey(place);
  const before = providedValues(current(key.kind, key.key));
  return [{ ...key, state: {}, body: asJson({ values: valuesAfter(event, before, place.rest) }) }];
}

/**
 * The provided values of a place after an event. A new value replaces the values that the same request or agent provided
 * for its path and for parts of it; a value of a person replaces those of everybody. Values of people come last, so that
 * they override those of agents. An event without a value removes the value of its request.
 */
function valuesAfter(
  event: RecordedOf<'InputProvided'>,
  before: readonly ProvidedValue[],
  names: readonly string[],
): readonly ProvidedValue[] {
  const { inputRequestId, value } = event.data;
  if (value === undefined) return before.filter((one) => one.inputRequestId !== inputRequestId);
  const provided = {
    names,
    value,
    inputRequestId,
    agentId: authorOf(event),
    isPerson: event.trust === 'human',
    onRecord: event.visibility === 'record',
  };
  const others = before.filter((one) => !replaces(provided, one));
  const [ofPeople, ofAgents] = [true, false].map((isPerson) =>
    others.filter((one) => one.isPerson === isPerson),
  );
  return provided.isPerson
    ? [...(ofAgents ?? []), ...(ofPeople ?? []), provided]
    : [...(ofAgents ?? []), provided, ...(ofPeople ?? [])];
}

function replaces(provided: ProvidedValue, before: ProvidedValue): boolean {
  if (provided.inputRequestId === before.inputRequestId) return true;
  const isOwn = provided.agentId === before.agentId && !before.isPerson;
  return (
    (provided.isPerson || isOwn) && provided.names.every((name, at) => before.names[at] === name)
  );
}
