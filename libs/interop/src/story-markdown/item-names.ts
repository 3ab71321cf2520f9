import { UniqueNames } from '../text/unique-names.js';

/** Unique names of the items of each kind, for documents that are read together. */
export class ItemNames {
  readonly #names = new UniqueNames();

  /** The name itself if no item of the kind has it. */
  take(kind: string, name: string): string {
    return this.#names.take(`${kind}:${name}`).slice(kind.length + 1);
  }

  has(kind: string, name: string): boolean {
    return this.#names.has(`${kind}:${name}`);
  }
}
