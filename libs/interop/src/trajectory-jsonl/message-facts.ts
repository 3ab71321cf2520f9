import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

/**
 * Facts of a message or event. `role`: as the format spells it; for LangChain, as OpenAI spells it; `timestamp`: as it
 * is written; `isThinking`: whether it has only reasoning.
 */
type MessageFacts = Readonly<{
  role?: string | undefined;
  author?: string | undefined;
  timestamp?: string | number | undefined;
  isThinking: boolean;
}>;

const langChainRoles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'] as const,
  ['ai', 'assistant'] as const,
  ...['system', 'tool', 'function', 'developer'].map((role) => [role, role] as const),
]);

/** Roles whose `name` is that of a function, not of an agent. */
const toolRoles: ReadonlySet<string> = new Set(['tool', 'function']);

/** Types of messages and of content blocks with reasoning. */
const thoughts: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

const names = ['name', 'agent', 'agentName', 'agent_name', 'sender', 'send_from', 'author'];
const roles = ['role', 'source', 'from'];
const times = [
  'timestamp',
  'ts',
  'created_at',
  'createdAt',
  'created',
  'time',
  'startedAt',
  'date',
];
const contents = ['content', 'message', 'text', 'prompt', 'thought', 'response', 'args'];

/** Reads messages of OpenAI, Anthropic and LangChain, and events that name their author. */
export function messageFacts(value: JsonValue): MessageFacts {
  if (!isJsonObject(value)) return { isThinking: false };
  const { role, message } = unwrap(value);
  const timestamp = firstOf([message, value], times, isTime);
  const author = authorOf(message, role);
  return { role, author, timestamp, isThinking: isThinking(message, role) };
}

/** The words of a message or event; undefined if it has none. */
export function messageText(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return typeof value === 'string' ? value : undefined;
  const { message } = unwrap(value);
  return contents.map((name) => textOf(own(message, name))).find(Boolean);
}

/** The text of a content: itself, its text blocks, or the content of the arguments of an event. */
function textOf(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  if (isJsonArray(content))
    return content
      .flatMap((block) => textOf(isJsonObject(block) ? own(block, 'text') : block) ?? [])
      .join('\n');
  if (!isJsonObject(content)) return undefined;
  const inner = own(content, 'content');
  return typeof inner === 'string' ? inner : undefined;
}

type Message = Readonly<{ role: string | undefined; message: JsonObject }>;

/**
 * LangChain wraps messages: `{ type: 'human', data }` or `{ lc, type: 'constructor', id: [..., 'HumanMessage'], kwargs
 * }`.
 */
function unwrap(value: JsonObject): Message {
  const { type, data, kwargs, id } = value;
  const className = isJsonArray(id) ? id.at(-1) : undefined;
  if (isJsonObject(kwargs) && typeof className === 'string')
    return { role: roleOfClass(className), message: kwargs };
  const known = typeof type === 'string' ? langChainRoles.get(type) : undefined;
  if (known !== undefined) return { role: known, message: isJsonObject(data) ? data : value };
  return { role: firstOf([value], roles, isText), message: value };
}

/** `HumanMessage` and `HumanMessageChunk` both have the role of a user. */
function roleOfClass(className: string): string | undefined {
  return langChainRoles.get(className.replace(/Message(?:Chunk)?$/, '').toLowerCase());
}

/**
 * A name takes precedence over the role. The author of a tool message is `tool`, for any function; the users of a
 * run are not its agent.
 */
function authorOf(message: JsonObject, role: string | undefined): string | undefined {
  if (role !== undefined && toolRoles.has(role)) return 'tool';
  const isAgent = role === undefined || role === 'assistant';
  return firstOf([message], isAgent ? names : names.slice(0, 1), isText) ?? role;
}

function isThinking(message: JsonObject, role = ''): boolean {
  const { content, action } = message;
  if (isThought(message) || action === 'think' || role.endsWith('(thought)')) return true;
  if (Array.isArray(content) && content.length > 0) return content.every(isThought);
  return isSilent(message) && isText(own(message, 'reasoning_content'));
}

function isSilent({ content, tool_calls: calls }: JsonObject): boolean {
  const hasCalls = Array.isArray(calls) && calls.length > 0;
  return !hasCalls && (content ?? '') === '';
}

function isThought(value: JsonValue): boolean {
  return isJsonObject(value) && thoughts.has(String(value['type']));
}

function firstOf<Value extends JsonValue>(
  objects: readonly JsonObject[],
  members: readonly string[],
  isUsable: (value: JsonValue | undefined) => value is Value,
): Value | undefined {
  for (const object of objects)
    for (const name of members) {
      const value = own(object, name);
      if (isUsable(value)) return value;
    }
  return undefined;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isTime(value: JsonValue | undefined): value is string | number {
  return isText(value) || typeof value === 'number';
}
