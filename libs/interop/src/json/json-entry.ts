import { type JsonValue, isVisible } from '#event-sourcing';

import { type JsonDraft } from './json-draft.js';
import { type JsonPart } from './json-part.js';

/**
 * An object whose members are read one by one. A member that is absent, null or blank says nothing; one that is not what is
 * expected stays text and is noted, as is, by {@link finish}, every member that nobody has read.
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

  /** The first of these members that there is; the others count as unread. */
  anyOf(...names: readonly string[]): JsonPart | undefined {
    const name = names.find((one) => this.#members.get(one)?.isNull === false);
    return name === undefined ? undefined : this.member(name);
  }

  text(...names: readonly string[]): string | undefined {
    const part = this.anyOf(...names);
    const value = part?.value();
    if (typeof value === 'string') return isVisible(value) ? value : undefined;
    if (part) this.#draft.note(part, 'text', 'a text is expected here');
    return undefined;
  }

  /** Those of a list, without blank ones; undefined if there is no such member. */
  texts(name: string): string[] | undefined {
    const part = this.member(name);
    if (part && !part.isArray) this.#draft.note(part, 'text', 'a list of texts is expected here');
    if (!part?.isArray) return undefined;
    return part.elements().flatMap((element) => {
      const value = element.value();
      if (typeof value === 'string' && isVisible(value)) return [value];
      this.#draft.note(element, 'text', 'a text is expected here');
      return [];
    });
  }

  json(name: string): JsonValue | undefined {
    return this.member(name)?.value();
  }

  /** A whole number from `least` on. */
  count(name: string, least = 0): number | undefined {
    const part = this.member(name);
    const value = part?.value();
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    if (part) this.#draft.note(part, 'text', `a whole number from ${least} on is expected here`);
    return undefined;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const part = this.member(name);
    const value = part?.value();
    const known = words.find((word) => word === value);
    if (part && known === undefined)
      this.#draft.note(part, 'text', `one of ${words.join(', ')} is expected here`);
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

  /** Members that nobody has read. */
  rest(): readonly (readonly [name: string, part: JsonPart])[] {
    return [...this.#members].filter(([name, part]) => !this.#read.has(name) && !part.isNull);
  }

  finish(): void {
    for (const [, part] of this.rest())
      this.#draft.note(part, 'text', 'no event has a place for this member');
  }
}
