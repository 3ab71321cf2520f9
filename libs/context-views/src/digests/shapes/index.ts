import { type JsonObject } from '#event-sourcing';

import { actionEvent, observationEvent, turn } from './agent-steps.js';
import { answeredPrompt, decision } from './decisions.js';
import { httpExchange } from './http-exchanges.js';
import { message, storedMessage } from './messages.js';
import { type Part, type Recogniser, isWrapper } from './part.js';
import { shellResult } from './shell-results.js';
import { toolCall } from './tool-calls.js';

export { type Part, type Role } from './part.js';

/** The shapes that are known, in the order in which they are tried. */
const recognisers: readonly Recogniser[] = [
  turn,
  observationEvent,
  actionEvent,
  storedMessage,
  toolCall,
  message,
  shellResult,
  httpExchange,
  decision,
  answeredPrompt,
];

/** The parts of an object, what matters most first; the members of an object of no known shape in their order. */
export function partsOf(held: JsonObject): Iterable<Part> {
  for (const recognise of recognisers) {
    const parts = recognise(held);
    if (parts) return parts;
  }
  return membersOf(held);
}

function* membersOf(held: JsonObject): Generator<Part> {
  for (const [label, value] of Object.entries(held))
    yield isWrapper(label) ? { role: 'wrapper', label, value } : { label, value };
}
