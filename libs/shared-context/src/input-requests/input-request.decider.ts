import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type CommandRules } from '../command-rule.js';
import { placeOfPath } from '../context-place.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { asJson, defined, jsonEquals, member, without } from '../json.js';
import { pathOf, pathToFill } from './input-provider.js';
import { inputRequestKey, providedMembers } from './input-request.item.js';
import { providedKey, providedValues } from './provided.item.js';

export const inputRequestRules: CommandRules<'RequestInput' | 'ProvideInput'> = {
  RequestInput: {
    reads: ({ data }) => [inputRequestKey(data.inputRequestId)],
    decide: ({ data }, current) => {
      const before = current('input-request', data.inputRequestId);
      if (!before) return [{ type: 'InputRequested', data }];
      if (jsonEquals(without(bodyOf(before), providedMembers), asJson(data))) return [];
      throw new RuleViolationError(
        '/inputRequestId',
        'is the id of another request: choose another id, or leave it out for a new one',
      );
    },
  },
  ProvideInput: {
    reads: ({ data }, known) => [
      inputRequestKey(data.inputRequestId),
      ...placeKeys(known('input-request', data.inputRequestId)),
    ],
    names: ({ data }) => [inputRequestKey(data.inputRequestId)],
    decide: ({ data, provider, visibility }, current) => {
      const request = current('input-request', data.inputRequestId);
      if (!request) throw new NotFoundError('input request', data.inputRequestId);
      const path = pathToFill(request, provider);
      if (isProvided(request, asJson(data)) && isReadable(request, path, current)) return [];
      // An event on record must not reveal anything about a request that is a working note.
      const isHidden = isWorking(request) && visibility === 'record';
      const facts = isHidden ? {} : { path, requestedBy: requesterOf(request) };
      return [
        {
          type: 'InputProvided',
          data: defined({ ...data, ...facts }),
          // The answer to a working note is a working note, unless the command states another visibility.
          ...(visibility === undefined && isWorking(request) && { visibility: 'working' }),
        },
      ];
    },
  },
};

function placeKeys(request: Item | undefined): readonly ItemKey[] {
  const place = request && placeOfPath(pathOf(request));
  return place ? [providedKey(place)] : [];
}

function requesterOf({ state }: Item): string | undefined {
  return typeof state['agentId'] === 'string' ? state['agentId'] : undefined;
}

function isWorking({ state }: Item): boolean {
  return state['visibility'] === 'working';
}

function isProvided(request: Item, answer: JsonObject): boolean {
  const before = bodyOf(request);
  return (
    request.state['status'] === 'provided' &&
    providedMembers.every((name) => jsonEquals(member(before, name), member(answer, name)))
  );
}

/**
 * Whether the value is readable at its path: it may have been provided before paths were recorded, or been replaced
 * since.
 */
function isReadable(request: Item, path: string | undefined, current: ItemLookup): boolean {
  const place = placeOfPath(path);
  if (!place || member(bodyOf(request), 'value') === undefined) return true;
  const { kind, key } = providedKey(place);
  const { inputRequestId } = bodyOf(request);
  return providedValues(current(kind, key)).some((one) => one.inputRequestId === inputRequestId);
}

function bodyOf({ body }: Item): JsonObject {
  return isJsonObject(body) ? body : {};
}
