import { type JsonObject, isJsonObject } from '#event-sourcing';

import { actionParts } from './actions.js';
import { Members, type Part, isText } from './part.js';

const callTypes: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'function_call']);
const argumentNames = ['arguments', 'args', 'input', 'tool_input'];

/** OpenAI `{function: {name, arguments}}`, Anthropic `{type: 'tool_use', name, input}`, LangChain `{name, args}` and `{tool, tool_input}`. */
export function toolCall(held: JsonObject): readonly Part[] | undefined {
  const { function: called, tool, name } = held;
  if (isJsonObject(called)) return nestedCall(called, held);
  if (isText(tool) && 'tool_input' in held) return callParts(tool, held, held);
  return isText(name) && isCall(held) ? callParts(name, held, held) : undefined;
}

/** A definition of a tool has no arguments. */
function nestedCall(called: JsonObject, held: JsonObject): readonly Part[] | undefined {
  const { name } = called;
  return isText(name) && 'arguments' in called ? callParts(name, called, held) : undefined;
}

function isCall(held: JsonObject): boolean {
  return 'arguments' in held || 'args' in held || callTypes.has(held['type']);
}

function callParts(name: string, called: JsonObject, held: JsonObject): readonly Part[] {
  const members = new Members(held);
  members.take('function', 'tool', 'name');
  const given = argumentNames.find((each) => called[each] !== undefined);
  if (given !== undefined) members.take(given);
  const done = actionParts(name, given === undefined ? undefined : called[given]);
  return [...done, ...members.rest()];
}
