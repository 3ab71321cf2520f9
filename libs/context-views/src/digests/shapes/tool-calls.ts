import { type JsonObject, isJsonObject } from '#event-sourcing';

import { actionParts } from './actions.js';
import { Members, type Part, isText } from './part.js';

const callTypes: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'function_call']);
const argumentNames = ['arguments', 'args', 'input', 'tool_input'];

/** OpenAI `{function: {name, arguments}}`, Anthropic `{type: 'tool_use', name, input}`, LangChain `{name, args}` and `{tool, tool_input}`. */
export function toolCall(record: JsonObject): readonly Part[] | undefined {
  const { function: called, tool, name } = record;
  if (isJsonObject(called)) return nestedCall(called, record);
  if (isText(tool) && 'tool_input' in record) return callParts(tool, record, record);
  return isText(name) && isCall(record) ? callParts(name, record, record) : undefined;
}

/** The definition of a tool has no arguments. */
function nestedCall(called: JsonObject, record: JsonObject): readonly Part[] | undefined {
  const { name } = called;
  return isText(name) && 'arguments' in called ? callParts(name, called, record) : undefined;
}

function isCall(record: JsonObject): boolean {
  return 'arguments' in record || 'args' in record || callTypes.has(record['type']);
}

function callParts(name: string, called: JsonObject, record: JsonObject): readonly Part[] {
  const members = new Members(record);
  members.take('function', 'tool', 'name');
  const argumentName = argumentNames.find((each) => called[each] !== undefined);
  if (argumentName !== undefined) members.take(argumentName);
  const parts = actionParts(name, argumentName === undefined ? undefined : called[argumentName]);
  return [...parts, ...members.rest()];
}
