import { factLists, factsShownIn } from './fact-lists.js';
import { type FoundFacts, noFacts } from './found-facts.js';
import { type Reading } from './read-value.js';
import { wordKinds } from './word-kinds.js';

/** Facts that occur in some values and not in the text that summarizes them. */
export class UnmentionedFacts {
  readonly #all: FoundFacts = noFacts();
  readonly #told: ReadonlySet<string>;

  constructor(text: string, values: readonly Pick<Reading, 'found'>[]) {
    this.#told = factsShownIn(text);
    for (const { found } of values)
      for (const [fact, label] of found.labels)
        if (!this.#all.labels.has(fact)) this.#all.labels.set(fact, label);
    for (const kind of wordKinds)
      for (const { found } of values)
        for (const [fact, count] of found[kind])
          this.#all[kind].set(fact, (this.#all[kind].get(fact) ?? 0) + count);
  }

  /** One line for each kind, within the room. */
  lists(room: number): string {
    return factLists(this.#all, room, this.#told);
  }
}
