import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type EventData } from '#shared-context';

import { jsonBytes } from '../exact-json/exact-json.js';
import { shortText } from '../text/short-text.js';
import { messageFacts, messageText } from './message-facts.js';

/** The task is at the beginning of a run. */
const maxMessages = 16;
const longestTitle = 120;
/** In bytes, for each part of the input: it is in every view, and the message itself is an output. */
const longestPart = 200_000;

const taskNames = [
  'task',
  'instruction',
  'instructions',
  'problem_statement',
  'question',
  'prompt',
  'issue',
  'title',
  'goal',
  'user_query',
];
const systemRoles: ReadonlySet<string> = new Set(['system', 'developer']);

/** Collects the task from the head of a document and the first messages. */
export class TaskReader {
  #messages = 0;
  #task: JsonValue | undefined;
  #system: JsonValue | undefined;
  #user: JsonValue | undefined;

  /** Takes the members of a document other than its messages. */
  takeHead(head: JsonObject): void {
    const name = taskNames.find((one) => Object.hasOwn(head, one) && hasWords(head[one]));
    if (name !== undefined) this.#task = head[name];
    const { system } = head;
    if (typeof system === 'string') this.#system = system;
  }

  takeMessage(value: JsonValue): void {
    const { role } = messageFacts(value);
    if (role === undefined || this.#messages++ >= maxMessages) return;
    const text = messageText(value);
    if (text === undefined) return;
    if (systemRoles.has(role)) this.#system ??= text;
    if (role === 'user') this.#user ??= text;
  }

  /** The title and the input of the context. Parts that are too long for an input are only in the outputs. */
  creation(): EventData<'ContextCreated'> {
    const task = this.#task ?? this.#user;
    const source = [task, this.#user, this.#system].map(wordsOf).find(Boolean) ?? '';
    const title = shortText(source, longestTitle);
    const input = Object.fromEntries(
      Object.entries({ system: this.#system, task }).filter(isShort),
    );
    return {
      ...(title !== undefined && { title }),
      ...(Object.keys(input).length > 0 && { input }),
    };
  }
}

function hasWords(value: JsonValue | undefined): boolean {
  return wordsOf(value) !== undefined;
}

/** The words of a task: the text, or the title or text of an object. */
function wordsOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const words = ['title', 'text', 'description'].map((name) => Reflect.get(value, name) as unknown);
  return words.find((one): one is string => typeof one === 'string' && one !== '');
}

function isShort(part: readonly [string, JsonValue | undefined]): part is [string, JsonValue] {
  return part[1] !== undefined && jsonBytes(part[1]) <= longestPart;
}
