import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, anyJson, existingId, identifier, text } from '../payload.schema.js';

/** The path of the requested value, such as `analyst.outputs.brief.budget`. */
const path = text.max(10_000);

const statedRequest = {
  path,
  /** The agent that is to provide the value. */
  from: agentId,
  reason: text.optional(),
};

/** The members that a client may send; the server creates the id if it is left out. */
const inputToRequest = z.strictObject({
  inputRequestId: identifier.optional(),
  ...statedRequest,
});

/** The members of an answer that a client may send. */
export const inputToProvide = z.strictObject({
  inputRequestId: existingId,
  value: anyJson.optional(),
  note: text.optional(),
});

export const inputRequested = defineClientEvent(
  'InputRequested',
  z.strictObject({ inputRequestId: identifier, ...statedRequest }),
  {
    line: ({ inputRequestId, path: wanted, from, reason }) =>
      // prose-ignore: text of views, whose bytes are pinned
      `input ${inputRequestId} asked of ${from}: ${wanted}${optionalText(' (', reason, ')')}`,
    idMember: 'inputRequestId',
    aboutMember: 'from',
    client: { command: 'RequestInput', payload: inputToRequest, mentionedAgent: 'from' },
  },
);

/**
 * A repeated answer with other content replaces the earlier one. `path`: the path of the request, at which readers find
 * the value; absent if they find it in the request alone. `requestedBy`: the author of the request. Version 1 had
 * neither.
 */
const inputProvided = defineClientEvent(
  'InputProvided',
  inputToProvide.extend({ path: path.optional(), requestedBy: identifier.optional() }),
  {
    line: ({ inputRequestId, note }) =>
      `input ${inputRequestId} provided${optionalText(': ', note)}`,
    aboutMember: 'requestedBy',
    client: { command: 'ProvideInput', payload: inputToProvide },
    history: { version: 2, upcasts: { 1: upcast(inputToProvide, (data) => data) } },
  },
);

export const inputRequestEvents = [inputRequested, inputProvided] as const;

export const inputRequestItemKinds = [
  defineItemKind('input-request', {
    rulesReadBody: true,
    view: { section: 'handovers', heading: ['inputRequestId'], when: 'not open' },
  }),
  defineItemKind('provided', { rulesReadBody: true, isTraced: true }),
] as const;
