import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { jsonEquals, member, pointerStep } from '../json.js';
import { type Change, type PartDifference, refused } from './part.difference.js';

/** Identifies, compares and adds the entries of a list from which nothing is removed. */
export type GrowingList = Readonly<{
  /**
   * The member that identifies an entry. Without it, a sent entry matches the first known one that contains all its
   * values.
   */
  id?: string;
  changed: (current: JsonObject, sent: JsonObject, at: string) => PartDifference;
  added: (sent: JsonObject, at: string) => PartDifference;
}>;

/**
 * Known entries must keep their order, and new ones must follow them. Known entries that are left out stay unchanged:
 * nothing is removed from a list.
 */
export function* listDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  { at, list }: Readonly<{ at: string; list: GrowingList }>,
): Generator<Change | undefined> {
  if (!isJsonArray(sent)) return yield* refused(at, 'must be a list');
  const known = isJsonArray(current) ? current.filter(isJsonObject) : [];
  const entries =
    list.id === undefined ? new UnnamedEntries(known) : new NamedEntries(known, list.id);
  for (const [index, entry] of sent.entries()) {
    yield;
    yield* entryDifference(entries, entry, { at: at + pointerStep(index), list });
  }
}

function* entryDifference(
  entries: KnownEntries,
  sent: JsonValue,
  { at, list }: Readonly<{ at: string; list: GrowingList }>,
): Generator<Change | undefined> {
  if (!isJsonObject(sent)) return yield* refused(at, 'must be an object');
  const found = yield* entries.find(sent);
  if (found === 'new') return yield* list.added(sent, at);
  if (found !== 'moved') return yield* list.changed(found, sent, at);
  const pointer = at + (list.id === undefined ? '' : pointerStep(list.id));
  return yield* refused(
    pointer,
    'entries cannot be reordered: send known ones in their order, once each, and new ones after them',
  );
}

/** The known entries of a list; sent entries are looked up in the order in which they are sent. */
interface KnownEntries {
  find(sent: JsonObject): Generator<undefined, JsonObject | 'new' | 'moved'>;
}

class NamedEntries implements KnownEntries {
  readonly #places = new Map<JsonValue | undefined, number>();
  #next = 0;

  constructor(
    private readonly known: readonly JsonObject[],
    private readonly id: string,
  ) {}

  *find(sent: JsonObject): Generator<undefined, JsonObject | 'new' | 'moved'> {
    yield* this.#index();
    const id = member(sent, this.id);
    const place = id === undefined ? undefined : this.#places.get(id);
    const entry = place === undefined ? undefined : this.known[place];
    if (place === undefined || entry === undefined) {
      this.#next = Infinity;
      return 'new';
    }
    if (place < this.#next) return 'moved';
    this.#next = place + 1;
    return entry;
  }

  *#index(): Generator<undefined, void> {
    if (this.#places.size > 0) return;
    for (const [place, entry] of this.known.entries()) {
      yield;
      this.#places.set(member(entry, this.id), place);
    }
  }
}

class UnnamedEntries implements KnownEntries {
  #next = 0;

  constructor(private readonly known: readonly JsonObject[]) {}

  *find(sent: JsonObject): Generator<undefined, JsonObject | 'new' | 'moved'> {
    for (let place = this.#next; place < this.known.length; place++) {
      yield;
      const entry = this.known[place];
      if (!entry || !(yield* containsValue(entry, sent))) continue;
      this.#next = place + 1;
      return entry;
    }
    // Every entry after a new one is new, so that the known entries are searched only once.
    this.#next = Infinity;
    return 'new';
  }
}

/** Whether a value contains every member of `stated` with an equal value. */
function* containsValue(
  value: JsonValue | undefined,
  stated: JsonValue,
): Generator<undefined, boolean> {
  if (!isJsonObject(value) || !isJsonObject(stated)) return jsonEquals(value, stated);
  for (const name of Object.keys(stated)) {
    yield;
    if (!(yield* containsValue(member(value, name), stated[name] ?? null))) return false;
  }
  return true;
}
