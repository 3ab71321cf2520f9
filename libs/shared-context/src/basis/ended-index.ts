/** A decision that was in force from version `from` until it ended at version `until`. */
export type EndedDecision = Readonly<{
  decisionId: string;
  from: number;
  until: number;
  supersededBy: string | null;
}>;

/** Of the decisions that were in force by version `from`: the one that ended last, and the last one with another successor. */
type Latest = Readonly<{ from: number; last: EndedDecision; other: EndedDecision | undefined }>;

/** Finds decisions that are no longer in force by a version at which they were, in logarithmic time. */
export class EndedIndex {
  static of(ended: readonly EndedDecision[]): EndedIndex {
    const known = made.get(ended) ?? new EndedIndex(ended);
    made.set(ended, known);
    return known;
  }

  readonly #latest: readonly Latest[];

  private constructor(ended: readonly EndedDecision[]) {
    const latest: Latest[] = [];
    for (const one of ended.toSorted((left, right) => left.from - right.from))
      latest.push({ from: one.from, ...withLatest(one, latest.at(-1)) });
    this.#latest = latest;
  }

  /** A decision that was in force at `version` and is not any more; never one that `successor` has superseded. */
  find(version: number, successor: string | undefined): EndedDecision | undefined {
    const { last, other } = this.#before(version) ?? {};
    const found = last && successor !== undefined && last.supersededBy === successor ? other : last;
    return found && found.until > version ? found : undefined;
  }

  /** By halves: the last that begins no later than `version`. */
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

const made = new WeakMap<readonly EndedDecision[], EndedIndex>();

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
