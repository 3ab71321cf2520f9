import { type Candidate, candidatesIn, listFacts } from './fact-lists.js';
import { type FoundFacts, noFacts } from './found-facts.js';
import { type Reading } from './read-value.js';
import { type WordKind, wordKinds } from './word-kinds.js';

/**
 * The maximum numbers of facts of a kind, of each value and in total: there may be many values, and this runs for each
 * view.
 */
const maxOfValue = 96;
const maxOfAll = 2_048;

/** The facts of some values, the first values first, to be listed if they are not shown. */
export class ListedFacts {
  readonly #candidates: readonly Candidate[];

  constructor(values: readonly Pick<Reading, 'found'>[]) {
    const all = noFacts();
    for (const { found } of values) for (const kind of wordKinds) addFirst(kind, found, all);
    this.#candidates = candidatesIn(all, nothing);
  }

  /** One line for each kind with facts that are not shown, within the room. */
  lists(room: number, shown: ReadonlySet<string>): string {
    return listFacts(
      this.#candidates.filter(({ fact }) => !shown.has(fact)),
      room,
    );
  }
}

const nothing: ReadonlySet<string> = new Set();

/** Adds the first facts of a kind, with their labels. */
function addFirst(kind: WordKind, found: FoundFacts, all: FoundFacts): void {
  let left = maxOfValue;
  for (const [fact, count] of found[kind]) {
    const known = all[kind].get(fact);
    if (left-- <= 0 || (known === undefined && all[kind].size >= maxOfAll)) return;
    all[kind].set(fact, (known ?? 0) + count);
    const label = all.labels.get(fact) ?? found.labels.get(fact);
    if (label !== undefined) all.labels.set(fact, label);
  }
}
