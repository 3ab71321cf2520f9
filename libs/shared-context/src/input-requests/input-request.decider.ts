import { type JsonObject } from '#event-sourcing';

import { type CommandRules } from '../command-rule.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type Item } from '../item.js';
import { asJson, isJsonObject, jsonEquals, member, without } from '../json.js';
import { inputRequestKey, providedMembers } from './input-request.item.js';

export const inputRequestRules: CommandRules<'RequestInput' | 'ProvideInput'> = {
  RequestInput: {
    reads: ({ data }) => [inputRequestKey(data.inputRequestId)],
    decide: ({ data }, current) => {
      const before = current('input-request', data.inputRequestId);
      if (!before) return [{ type: 'InputRequested', data }];
      if (jsonEquals(without(bodyOf(before), providedMembers), asJson(data))) return [];
      throw new RuleViolationError('/inputRequestId', 'names a request that says something else');
    },
  },
  ProvideInput: {
    reads: ({ data }) => [inputRequestKey(data.inputRequestId)],
    names: ({ data }) => [inputRequestKey(data.inputRequestId)],
    decide: ({ data }, current) => {
      const request = current('input-request', data.inputRequestId);
      if (!request) throw new NotFoundError('input request', data.inputRequestId);
      return isProvided(request, asJson(data)) ? [] : [{ type: 'InputProvided', data }];
    },
  },
};

function isProvided(request: Item, said: JsonObject): boolean {
  const before = bodyOf(request);
  return (
    request.state['status'] === 'provided' &&
    providedMembers.every((name) => jsonEquals(member(before, name), member(said, name)))
  );
}

function bodyOf({ body }: Item): JsonObject {
  return isJsonObject(body) ? body : {};
}
