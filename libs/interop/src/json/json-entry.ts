import { type JsonValue, isVisible } from '#event-sourcing';

import { type JsonDraft } from './json-draft.js';
import { type JsonPart } from './json-part.js';

/**
 * An object whose members are read one by one. A member that is absent, null or blank counts as absent. A member of
 * another type stays text, with a note, and so does every member that was not read before {@link finish}.
 */
export class JsonEntry {
  readonly part: JsonPart;
  readonly #draft: JsonDraft;
  readonly #members: ReadonlyMap<string, JsonPart>;
  readonly #read = new Set<string>();

  constructor(draft: JsonDraft, part: JsonPart) {
    this.#draft = draft;
    this.part = part;
    this.#members = new Map(part.members());
  }

  member(name: string): JsonPart | undefined {
    this.#read.add(name);
    const found = this.#members.get(name);
    return found?.isNull ? undefined : found;
  }

  /** The first existing member of these; the others count as unread. */
  anyOf(...names: readonly string[]): JsonPart | undefined {
    const name = names.find((one) => this.#members.get(one)?.isNull === false);
    return name === undefined ? undefined : this.member(name);
  }

  text(...names: readonly string[]): string | undefined {
    const part = this.anyOf(...names);
    const value = part?.value();
    if (typeof value === 'string') return isVisible(value) ? value : undefined;
    if (part) this.#draft.note(part, 'text', 'expected a text');
    return undefined;
  }

  /** The texts of a list, without blank ones; undefined if there is no such member. */
  texts(name: string): string[] | undefined {
    const part = this.member(name);
    if (part && !part.isArray) this.#draft.note(part, 'text', 'expected a list of texts');
    if (!part?.isArray) return undefined;
    return part.elements().flatMap((element) => {
      const value = element.value();
      if (typeof value === 'string' && isVisible(value)) return [value];
      this.#draft.note(element, 'text', 'expected a text');
      return [];
    });
  }

  json(name: string): JsonValue | undefined {
    return this.member(name)?.value();
  }

  /** A whole number that is not below `minimum`. */
  count(name: string, minimum = 0): number | undefined {
    const part = this.member(name);
    const value = part?.value();
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
    if (part) this.#draft.note(part, 'text', `expected a whole number of at least ${minimum}`);
    return undefined;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const part = this.member(name);
    const value = part?.value();
    const known = words.find((word) => word === value);
    if (part && known === undefined)
      this.#draft.note(part, 'text', `expected one of ${words.join(', ')}`);
    return known;
  }

  agent(...names: readonly string[]): string | undefined {
    const part = this.anyOf(...names);
    return part && this.#draft.agent(part);
  }

  time(...names: readonly string[]): string | undefined {
    const part = this.anyOf(...names);
    return part && this.#draft.time(part);
  }

  /** Members that were not read. */
  rest(): readonly (readonly [name: string, part: JsonPart])[] {
    return [...this.#members].filter(([name, part]) => !this.#read.has(name) && !part.isNull);
  }

  finish(): void {
    for (const [, part] of this.rest()) this.#draft.note(part, 'text', 'no event has this member');
  }
}
