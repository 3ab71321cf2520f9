import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { Members, type Part, type Role, isText } from './part.js';

/** The author of a message, as OpenAI, Anthropic and LangChain name it. */
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
/** Types of notes that add nothing to the text of the note. */
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

/** A message, the result of a tool, or `{type, text}`. */
export function message(record: JsonObject): readonly Part[] | undefined {
  const author = record['role'] ?? record['type'];
  if (results.has(author)) return toolResult(record);
  if (isAuthor(author, record) && holdsMessage(record)) return messageParts(record, author);
  return isText(record['type']) && isText(textIn(record))
    ? note(record, record['type'])
    : undefined;
}

/** `{lc, kwargs}` and `{type, data}`, as LangChain stores messages. */
export function storedMessage(record: JsonObject): readonly Part[] | undefined {
  const { kwargs, data, lc, type } = record;
  const inner =
    isJsonObject(kwargs) && lc !== undefined ? kwargs : authors.has(type) ? data : undefined;
  if (!isJsonObject(inner)) return undefined;
  const members = new Members(record);
  members.take('kwargs', 'data');
  const known = message({ role: authorIn(record), ...inner });
  return [...(known ?? [{ label: null, value: inner }]), ...asWrapper(members)];
}

function authorIn({ id, type }: JsonObject): JsonValue {
  const name = Array.isArray(id) ? String(id.at(-1)) : String(type);
  if (/tool|function/i.test(name)) return 'tool';
  return /human/i.test(name) ? 'human' : 'ai';
}

/** Frameworks use different names for roles. */
function isAuthor(author: JsonValue | undefined, { role, content }: JsonObject): boolean {
  return authors.has(author) || (isText(role) && typeof content === 'string');
}

function holdsMessage(record: JsonObject): boolean {
  return 'content' in record || 'tool_calls' in record;
}

function messageParts(record: JsonObject, author: JsonValue | undefined): readonly Part[] {
  const members = new Members(record);
  const role: Role = author === 'system' || author === 'developer' ? 'text' : 'purpose';
  const name = members.take('name');
  const label = name === undefined && (author === 'user' || author === 'human') ? 'user' : null;
  return [
    ...members.part(role, label, 'content'),
    ...members.part('action', null, 'tool_calls', 'function_call'),
    ...members.rest(),
  ];
}

function toolResult(record: JsonObject): readonly Part[] {
  const members = new Members(record);
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

function note(record: JsonObject, type: string): readonly Part[] {
  const members = new Members(record);
  const isNamed = word.test(type) && !plainTypes.has(type);
  // The text of a block is the text of the message.
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
