import {
  type JsonObject,
  type JsonValue,
  AppendTooLargeError,
  maxAppendBytes,
  isJsonObject,
} from '#event-sourcing';

import { jsonEquals, member, pointerStep } from '../json.js';
import { type Change, notRemovable, refused, unknownIssue } from './part.difference.js';

/**
 * Computes, in steps, the merge patch (RFC 7396) that merges `sent` into `current`: members that are `null` are
 * removed, absent ones stay. `removesNull`: a member that is stored as `null` is removed as well. Throws {@link
 * AppendTooLargeError} as soon as the patch is too large to be stored.
 */
export function patchBetween(
  current: JsonObject,
  sent: JsonObject,
  { removesNull = false } = {},
): Generator<undefined, JsonObject> {
  return new PatchWriter(removesNull).write(current, sent);
}

/** The fault of a place that a whole-document update cannot change. */
export const unwritable =
  'cannot be changed by writing the document: leave it out, or use the operation made for the change';

/** The places at which a merge patch removes an existing value. */
export function* removalsIn(
  current: JsonValue | undefined,
  patch: JsonObject,
  at: string,
): Generator<Change | undefined> {
  if (!isJsonObject(current)) return;
  for (const name of Object.keys(patch)) {
    const pointer = at + pointerStep(name);
    const [known, value] = [member(current, name), patch[name]];
    if (value === null && known !== undefined) yield* notRemovable(pointer);
    else if (isJsonObject(value)) yield* removalsIn(known, value, pointer);
  }
}

/**
 * The places at which `sent` differs from a part that cannot be written; absent members do not differ. `names`: further
 * members that the part may have.
 */
export function* changesIn(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
  names: readonly string[] = [],
): Generator<Change | undefined> {
  if (!isJsonObject(current) || !isJsonObject(sent)) {
    if (!jsonEquals(current, sent)) yield* refused(at, unwritable);
    return;
  }
  for (const name of Object.keys(sent)) {
    yield;
    const [known, pointer] = [member(current, name), at + pointerStep(name)];
    if (known === undefined) yield unknownMemberFault(name, pointer, { current, sent, names });
    else yield* changesIn(known, sent[name] ?? null, pointer);
  }
}

/** Objects with more members are rarely written by hand, so that a misspelled name is unlikely. */
const maxCompared = 256;

/** The fault of an unknown member: a suggestion if its name is probably misspelled, else that it cannot be added. */
function unknownMemberFault(
  name: string,
  at: string,
  {
    current,
    sent,
    names,
  }: Readonly<{ current: JsonObject; sent: JsonObject; names: readonly string[] }>,
): Change {
  const others = [...Object.keys(current), ...names].filter((other) => !Object.hasOwn(sent, other));
  const isComparable = !names.includes(name) && others.length <= maxCompared;
  const issue = unknownIssue(name, isComparable ? others : [], { at, fault: 'is not known here' });
  return { issue: issue.suggestion === undefined ? { pointer: at, detail: unwritable } : issue };
}

/** Writes a merge patch, and stops if it becomes too large to be stored. */
class PatchWriter {
  /** The length of the names and values without punctuation: at least two thirds of the patch as JSON. */
  #characters = 0;

  constructor(private readonly removesNull: boolean) {}

  *write(current: JsonObject, sent: JsonObject): Generator<undefined, JsonObject> {
    const entries: [string, JsonValue][] = [];
    for (const name of Object.keys(sent)) {
      yield;
      const value = yield* this.#change(member(current, name), sent[name] ?? null);
      if (value === undefined) continue;
      this.#count(name);
      entries.push([name, value]);
    }
    return Object.fromEntries(entries);
  }

  /** Undefined if nothing changes. */
  *#change(
    current: JsonValue | undefined,
    sent: JsonValue,
  ): Generator<undefined, JsonValue | undefined> {
    if (isJsonObject(current) && isJsonObject(sent)) {
      const patch = yield* this.write(current, sent);
      return Object.keys(patch).length > 0 ? patch : undefined;
    }
    if (this.#isSame(current, sent)) return undefined;
    this.#count(JSON.stringify(sent));
    return sent;
  }

  #isSame(current: JsonValue | undefined, sent: JsonValue): boolean {
    if (sent !== null) return jsonEquals(current, sent);
    return current === undefined || (current === null && !this.removesNull);
  }

  #count(text: string): void {
    this.#characters += text.length;
    if (this.#characters > maxAppendBytes) throw new AppendTooLargeError(this.#characters);
  }
}
