import { z } from 'zod';

import { parseBounded } from './bounded-parse.js';
import { inWords } from './issue-wording.js';

const maxIssuesNamed = 10;
const shortList = 1_000;

/** Converts data of one version to the next version. */
type Upcast = (data: unknown) => unknown;

type EventDefinition<
  Type extends string = string,
  Schema extends z.ZodType = z.ZodType,
> = Readonly<{
  type: Type;
  /** The current version; stored with each event as `schemaVersion`. */
  version: number;
  schema: Schema;
  upcasts: Readonly<Record<number, Upcast>>;
}>;

export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Schema>
    ? Readonly<{ type: Type; data: z.output<Schema> }>
    : never;

type EncodedEvent = Readonly<{ type: string; schemaVersion: number; data: unknown }>;

/** The stored event cannot be read: its type is unknown, its version is newer, or its data violates the schema. */
export class UndecodableEventError extends Error {
  override readonly name = 'UndecodableEventError';
}

export function defineEvent<const Type extends string, Schema extends z.ZodType>(
  type: Type,
  schema: Schema,
  history: { version: number; upcasts: Record<number, Upcast> } = { version: 1, upcasts: {} },
): EventDefinition<Type, Schema> {
  return { type, schema, ...history };
}

/** Combines the frozen schema of a version with the conversion to the next version. */
export function upcast<Old extends z.ZodType>(
  old: Old,
  lift: (data: z.output<Old>) => unknown,
): Upcast {
  return (data) => lift(old.parse(data));
}

/** Finds definitions by type. Build it once, as every read decodes events. */
export class EventRegistry<Definition extends EventDefinition> {
  readonly #byType: ReadonlyMap<string, Definition>;

  constructor(definitions: readonly Definition[]) {
    this.#byType = new Map(definitions.map((definition) => [definition.type, definition]));
  }

  find(type: string): Definition | undefined {
    return this.#byType.get(type);
  }

  /** Converts stored data to the current version of its type, or throws {@link UndecodableEventError}. */
  decode({ type, schemaVersion, data }: EncodedEvent): EventOf<Definition> {
    const definition = this.#byType.get(type);
    if (!definition) throw new UndecodableEventError(`unknown event type "${type}"`);
    const parsed = parse(definition, lift(definition, schemaVersion, data));
    // The cast is safe, as the schema of this type has parsed the data.
    return { type: definition.type, data: parsed.data } as EventOf<Definition>;
  }
}

function parse({ type, schema }: EventDefinition, data: unknown): { data: unknown } {
  // Stored events were valid when they were written, but imported events may have any number of faults.
  const parsed = hasLongList(data)
    ? parseBounded(schema, data, inWords)
    : schema.safeParse(data, inWords);
  if (parsed.success) return parsed;
  const { issues, more } = 'issues' in parsed ? parsed : { issues: parsed.error.issues, more: 0 };
  const named = z.prettifyError({ issues: issues.slice(0, maxIssuesNamed) });
  const left = issues.length + more - maxIssuesNamed;
  const others = left > 0 ? `\n(and ${left} more)` : '';
  throw new UndecodableEventError(`"${type}" breaks its schema: ${named}${others}`);
}

function hasLongList(data: unknown): boolean {
  return Object.values(data ?? {}).some(
    (value) => Array.isArray(value) && value.length > shortList,
  );
}

function lift({ type, version, upcasts }: EventDefinition, from: number, data: unknown): unknown {
  if (!Number.isSafeInteger(from) || from < 1 || from > version)
    throw new UndecodableEventError(
      `"${type}" has version ${from}, this code reads 1 to ${version}`,
    );
  let lifted = data;
  for (let step = from; step < version; step++) {
    const next = upcasts[step];
    if (!next) throw new UndecodableEventError(`"${type}" has no upcast from version ${step}`);
    try {
      lifted = next(lifted);
    } catch (cause) {
      throw new UndecodableEventError(`"${type}" cannot be upcast from version ${step}`, { cause });
    }
  }
  return lifted;
}
