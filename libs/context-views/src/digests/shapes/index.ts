import { type JsonObject } from '#event-sourcing';

import { actionEvent, observationEvent, turn } from './agent-steps.js';
import { answeredPrompt, decision } from './decisions.js';
import { httpExchange } from './http-exchanges.js';
import { message, storedMessage } from './messages.js';
import { type Part, type Recognizer, isWrapper } from './part.js';
import { shellResult } from './shell-results.js';
import { toolCall } from './tool-calls.js';

export { type Part, type Role } from './part.js';

/** Recognizers of the known shapes, in the order in which they are tried. */
const recognizers: readonly Recognizer[] = [
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

/** The parts of an object, the most important first; the members of an object of no known shape in their order. */
export function partsOf(record: JsonObject): Iterable<Part> {
  for (const recognize of recognizers) {
    const parts = recognize(record);
    if (parts) return parts;
  }
  return membersOf(record);
}

function* membersOf(record: JsonObject): Generator<Part> {
  for (const [label, value] of Object.entries(record))
    yield isWrapper(label) ? { role: 'wrapper', label, value } : { label, value };
}
