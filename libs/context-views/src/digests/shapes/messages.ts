import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { Members, type Part, type Role, isText } from './part.js';

/** The author of a message, as OpenAI, Anthropic and LangChain write it. */
const authors: ReadonlySet<unknown> = new Set([
  'user',
  'human',
  'assistant',
  'ai',
  'system',
  'developer',
  'tool',
  'function',
]);
const results: ReadonlySet<unknown> = new Set([
  'tool',
  'function',
  'tool_result',
  'function_call_output',
]);
/** Types of notes that say no more than that they are notes. */
const plainTypes: ReadonlySet<string> = new Set([
  'text',
  'message',
  'note',
  'output_text',
  'input_text',
  'thinking',
  'reasoning',
]);
const word = /^[a-z][a-z_ -]{2,30}$/i;

/** What somebody said, what came of a tool, or `{type, text}`. */
export function message(held: JsonObject): readonly Part[] | undefined {
  const author = held['role'] ?? held['type'];
  if (results.has(author)) return toolResult(held);
  if (isAuthor(author, held) && holdsMessage(held)) return said(held, author);
  return isText(held['type']) && isText(textIn(held)) ? note(held, held['type']) : undefined;
}

/** `{lc, kwargs}` and `{type, data}`, as LangChain stores messages. */
export function storedMessage(held: JsonObject): readonly Part[] | undefined {
  const { kwargs, data, lc, type } = held;
  const inner =
    isJsonObject(kwargs) && lc !== undefined ? kwargs : authors.has(type) ? data : undefined;
  if (!isJsonObject(inner)) return undefined;
  const members = new Members(held);
  members.take('kwargs', 'data');
  const known = message({ role: authorIn(held), ...inner });
  return [...(known ?? [{ label: null, value: inner }]), ...asWrapper(members)];
}

function authorIn({ id, type }: JsonObject): JsonValue {
  const name = Array.isArray(id) ? String(id.at(-1)) : String(type);
  if (/tool|function/i.test(name)) return 'tool';
  return /human/i.test(name) ? 'human' : 'ai';
}

/** Frameworks give roles names of their own. */
function isAuthor(author: JsonValue | undefined, { role, content }: JsonObject): boolean {
  return authors.has(author) || (isText(role) && typeof content === 'string');
}

function holdsMessage(held: JsonObject): boolean {
  return 'content' in held || 'tool_calls' in held;
}

function said(held: JsonObject, author: JsonValue | undefined): readonly Part[] {
  const members = new Members(held);
  const role: Role = author === 'system' || author === 'developer' ? 'text' : 'purpose';
  const name = members.take('name');
  const label = name === undefined && (author === 'user' || author === 'human') ? 'user' : null;
  return [
    ...members.part(role, label, 'content'),
    ...members.part('action', null, 'tool_calls', 'function_call'),
    ...members.rest(),
  ];
}

function toolResult(held: JsonObject): readonly Part[] {
  const members = new Members(held);
  const failed = members.take('is_error') === true;
  return [
    ...members.part('action', 'result of', 'name'),
    ...(failed ? ([{ role: 'outcome', label: null, value: 'failed' }] as const) : []),
    ...members.part('text', null, 'content', 'output'),
    ...members.rest(),
  ];
}

function textIn({ text, content, thinking, reasoning }: JsonObject): JsonValue | undefined {
  return [text, content, thinking, reasoning].find(isText);
}

function note(held: JsonObject, type: string): readonly Part[] {
  const members = new Members(held);
  const isNamed = word.test(type) && !plainTypes.has(type);
  // What stands in blocks is what the message says.
  const role = isNamed ? 'text' : undefined;
  return [
    {
      role,
      label: isNamed ? type : null,
      value: members.take('text', 'content', 'thinking', 'reasoning') ?? '',
    },
    ...members.rest(),
  ];
}

function asWrapper(members: Members): readonly Part[] {
  return members.rest().map((part) => ({ ...part, role: 'wrapper' }));
}
