type Name = string | number;

const longestLabel = 200;

/**
 * The names that lead from the outermost scope to a value. A longer path refers to a shorter one and copies none of its
 * names.
 */
export class Path {
  static readonly outermost = new Path(undefined, []);

  /** The encoded names with dots between them, complete up to {@link longestLabel}. */
  #joined: string | undefined;

  private constructor(
    private readonly parent: Path | undefined,
    private readonly names: readonly Name[],
  ) {}

  with(names: readonly Name[]): Path {
    return new Path(this, names);
  }

  /**
   * The path as a fence shows it. Anybody can choose names of members, so all characters of no plain name are
   * percent-encoded.
   */
  get label(): string {
    const joined = this.#join() ?? '';
    return joined.length > longestLabel ? `${joined.slice(0, longestLabel)}…` : joined;
  }

  /** Each path joins its own names once, on the first read of its label. */
  #join(): string | undefined {
    if (this.parent) this.#joined ??= this.names.reduce(append, this.parent.#join());
    return this.#joined;
  }
}

function append(joined: string | undefined, name: Name): string {
  if (joined === undefined) return encode(name);
  return joined.length > longestLabel ? joined : `${joined}.${encode(name)}`;
}

function encode(name: Name): string {
  const shortened = String(name).slice(0, longestLabel).toWellFormed();
  return encodeURIComponent(shortened).replaceAll('.', '%2E');
}
