import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '#event-sourcing';

/**
 * The role of a part of a value for a reader who continues the work: the purpose of an action, the action, its outcome,
 * its body (a script, a patch), ordinary text, or data that only the recording program needs.
 */
export type Role = 'purpose' | 'action' | 'outcome' | 'body' | 'text' | 'wrapper';

/** `label`: precedes the first line; empty if the part has the label that its value has anyway, null for none. */
export type Part = Readonly<{ role?: Role | undefined; label: string | null; value: JsonValue }>;

/** Returns the parts of an object of a known shape, the most important first; undefined for every other object. */
export type Recognizer = (held: JsonObject) => readonly Part[] | undefined;

/** Members that describe the recording and not the work, in any shape. */
const wrapperNames: ReadonlySet<string> = new Set([
  'timestamp',
  'ts',
  'created_at',
  'updated_at',
  'createdAt',
  'updatedAt',
  'tick_id',
  'content_hash',
  'tool_call_metadata',
  'llm_metrics',
  'usage',
  'usage_metadata',
  'response_metadata',
  'additional_kwargs',
  'system_fingerprint',
  'finish_reason',
  'stop_reason',
  'stop_sequence',
  'logprobs',
  'tool_call_id',
  'tool_use_id',
  'call_id',
]);

/** Further such members of a message, an action or its result. */
const recordNames: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'object',
  'index',
  'model',
  'created',
  'source',
  'cause',
  'raw_content',
  'is_input',
  'is_static',
  'blocking',
  'hidden',
  'confirmation_state',
  'is_confirmed',
  'action_risk',
  'keep_prompt',
  'impl_source',
  'wait_for_response',
  'execution_time',
  'security_risk',
  'command_id',
  'cache_control',
  'annotations',
  'refusal',
]);

export function isWrapper(name: string): boolean {
  return wrapperNames.has(name);
}

/** The members of an object, each taken once. */
export class Members {
  readonly #remaining: Map<string, JsonValue>;

  constructor(record: JsonObject) {
    this.#remaining = new Map(Object.entries(record));
  }

  /** Takes the first of these members that is not empty. */
  take(...names: readonly string[]): JsonValue | undefined {
    return this.#takeIf(names, holdsSomething);
  }

  /** Takes the first of these members that is a text and not blank. */
  takeText(...names: readonly string[]): string | undefined {
    const taken = this.#takeIf(names, isText);
    return typeof taken === 'string' ? taken : undefined;
  }

  /** Takes the first of these members that is not empty, as a part. */
  part(role: Role, label: string | null, ...names: readonly string[]): readonly Part[] {
    const value = this.take(...names);
    return value === undefined ? [] : [{ role, label, value }];
  }

  /** As {@link part}, with the name of the member as label. */
  named(role: Role, ...names: readonly string[]): readonly Part[] {
    const name = names.find((each) => holdsSomething(this.#remaining.get(each)));
    return name === undefined ? [] : this.part(role, name, name);
  }

  /** The members that no recognizer has taken, in their order. `role` applies to members that are not wrappers. */
  rest(role?: Role): readonly Part[] {
    return Array.from(this.#remaining, ([label, value]) => ({
      label,
      value,
      role: isWrapper(label) || recordNames.has(label) ? 'wrapper' : role,
    }));
  }

  #takeIf(
    names: readonly string[],
    isMatch: (value: JsonValue | undefined) => boolean,
  ): JsonValue | undefined {
    const name = names.find((each) => isMatch(this.#remaining.get(each)));
    if (name === undefined) return undefined;
    const value = this.#remaining.get(name);
    this.#remaining.delete(name);
    return value;
  }
}

export function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function holdsSomething(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Undefined if the value is neither an object nor the text of one. */
export function objectIn(value: JsonValue | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined;
  try {
    const read = parseJson(value);
    return isJsonObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
