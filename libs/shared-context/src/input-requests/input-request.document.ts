import { type JsonObject } from '#event-sourcing';

import { type DocumentPart, listSchema } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, defined } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';

export const inputRequestsPart: DocumentPart = {
  members: {
    inputRequests: {
      schema: listSchema.meta({
        description: 'Requests to agents for input, with the values that were provided',
      }),
      searched: { shape: 'list' },
    },
  },
  kinds: ['input-request'],
  listed: [{ kind: 'input-request', list: 'inputRequests', render: renderInputRequest }],
  render: renderInputRequests,
};

/** A request with its status and provider; `value` and `note` are from the latest answer. */
export function renderInputRequest(item: Item): JsonObject {
  const { status = null, providedBy, providedAt } = item.state;
  return asJson(defined({ ...renderEntry(item), status, providedBy, providedAt }));
}

/** Every request, open or provided, oldest first. */
export function renderInputRequests(items: readonly Item[]): JsonObject {
  return { inputRequests: oldestFirst('input-request', items).map(renderInputRequest) };
}
