/** A decision that was in force from version `from` until it ended at version `until`. */
export type EndedDecision = Readonly<{
  decisionId: string;
  from: number;
  until: number;
  supersededBy: string | null;
}>;

/**
 * Among the decisions that came into force by version `from`: `last` ended last, and `other` ended last among those
 * with another successor than `last`.
 */
type Latest = Readonly<{ from: number; last: EndedDecision; other: EndedDecision | undefined }>;

/** Finds, in logarithmic time, a decision that was in force at a given version and has ended since. */
export class EndedIndex {
  static of(ended: readonly EndedDecision[]): EndedIndex {
    const known = indexes.get(ended) ?? new EndedIndex(ended);
    indexes.set(ended, known);
    return known;
  }

  readonly #latest: readonly Latest[];

  private constructor(ended: readonly EndedDecision[]) {
    const latest: Latest[] = [];
    for (const one of ended.toSorted((left, right) => left.from - right.from))
      latest.push({ from: one.from, ...withLatest(one, latest.at(-1)) });
    this.#latest = latest;
  }

  /** The decision in force at `version` that ended last; never one that `successor` superseded. */
  find(version: number, successor: string | undefined): EndedDecision | undefined {
    const { last, other } = this.#before(version) ?? {};
    const found = last && successor !== undefined && last.supersededBy === successor ? other : last;
    return found && found.until > version ? found : undefined;
  }

  /** Binary search for the last element whose `from` is at most `version`. */
  #before(version: number): Latest | undefined {
    let [low, high] = [0, this.#latest.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#latest[middle]?.from ?? Infinity) <= version) low = middle + 1;
      else high = middle;
    }
    return this.#latest[low - 1];
  }
}

const indexes = new WeakMap<readonly EndedDecision[], EndedIndex>();

function withLatest(one: EndedDecision, before: Latest | undefined): Omit<Latest, 'from'> {
  if (!before) return { last: one, other: undefined };
  const { last, other } = before;
  if (isLater(one, last))
    return { last: one, other: last.supersededBy === one.supersededBy ? other : last };
  const isOther = one.supersededBy !== last.supersededBy && (!other || isLater(one, other));
  return { last, other: isOther ? one : other };
}

/** If two decisions ended at the same version, the one with the smaller id counts as later. */
function isLater(one: EndedDecision, other: EndedDecision): boolean {
  return (
    one.until > other.until || (one.until === other.until && one.decisionId < other.decisionId)
  );
}
