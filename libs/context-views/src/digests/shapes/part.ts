import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '#event-sourcing';

/**
 * What a part of a value is to somebody who continues the work: what an action was for, what was done, what came of it, the body of what
 * was done (a script, a patch), a text like any other, or what only the program needs that recorded it.
 */
export type Role = 'purpose' | 'action' | 'outcome' | 'body' | 'text' | 'wrapper';

/** `label`: stands before its first line; empty if the part is under the label that its value has anyway, null for none. */
export type Part = Readonly<{ role?: Role | undefined; label: string | null; value: JsonValue }>;

/** The parts of an object of a shape that is known, what matters most first; undefined for every other object. */
export type Recogniser = (held: JsonObject) => readonly Part[] | undefined;

/** Members that carry a record and say nothing of the work, in whatever shape they occur. */
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

/** And those of a message, an action or its result. */
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
  readonly #left: Map<string, JsonValue>;

  constructor(held: JsonObject) {
    this.#left = new Map(Object.entries(held));
  }

  /** The first of these members that holds something. */
  take(...names: readonly string[]): JsonValue | undefined {
    return this.#takeIf(names, holdsSomething);
  }

  /** The first of these members that is a text with something in it. */
  takeText(...names: readonly string[]): string | undefined {
    const taken = this.#takeIf(names, isText);
    return typeof taken === 'string' ? taken : undefined;
  }

  /** A part for the first of these members that holds something. */
  part(role: Role, label: string | null, ...names: readonly string[]): readonly Part[] {
    const value = this.take(...names);
    return value === undefined ? [] : [{ role, label, value }];
  }

  /** As {@link part}, under its own name. */
  named(role: Role, ...names: readonly string[]): readonly Part[] {
    const name = names.find((each) => holdsSomething(this.#left.get(each)));
    return name === undefined ? [] : this.part(role, name, name);
  }

  /** The members that no recogniser has used, in their order. `role` applies to those that are not wrappers. */
  rest(role?: Role): readonly Part[] {
    return Array.from(this.#left, ([label, value]) => ({
      label,
      value,
      role: isWrapper(label) || recordNames.has(label) ? 'wrapper' : role,
    }));
  }

  #takeIf(
    names: readonly string[],
    isWanted: (value: JsonValue | undefined) => boolean,
  ): JsonValue | undefined {
    const name = names.find((each) => isWanted(this.#left.get(each)));
    if (name === undefined) return undefined;
    const value = this.#left.get(name);
    this.#left.delete(name);
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

/** Undefined for what is no text of a JSON object. */
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
