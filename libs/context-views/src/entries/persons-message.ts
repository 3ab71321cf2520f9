import { type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';
import { type Item, bodyReaderOf } from '#shared-context';

import { memberOf } from './json-member.js';

const people: ReadonlySet<string> = new Set(['user', 'human', 'customer', 'person']);
/** Members in which agent frameworks name the speaker of a message. */
const speakers = ['role', 'source', 'sender', 'send_from', 'speaker'];

/**
 * Whether a step output is a message of a person: its author or its speaker is named user, human, customer or person.
 * Some frameworks give messages of agents and results of tools the role of a user: these have the name of an agent, or
 * blocks with types. Large outputs are not examined.
 */
export function isPersonsMessage(item: Item): boolean {
  if (item.kind !== 'step-output' || bodyReaderOf(item)) return false;
  const output = memberOf(item.body, 'output');
  const name = memberOf(output, 'name');
  if (typeof name === 'string' && !isPerson(name)) return false;
  if (isToolResult(output)) return false;
  if (isPerson(item.state['agentId'])) return true;
  return isJsonObject(output) && speakers.some((speaker) => isPerson(memberOf(output, speaker)));
}

/** Whether the output is the result of a tool, which models get in the role of a user. */
function isToolResult(output: JsonValue | undefined): boolean {
  if (memberOf(output, 'tool_call_id') !== undefined) return true;
  const content = memberOf(output, 'content');
  const types = isJsonArray(content) ? content.map((block) => memberOf(block, 'type')) : ['text'];
  return types.includes('tool_result') || !types.some((type) => type === 'text');
}

function isPerson(name: unknown): boolean {
  return typeof name === 'string' && people.has(name.toLowerCase());
}
