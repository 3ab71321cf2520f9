const longestName = 100;
const noWord = /[^\p{L}\p{N}]+/gu;

/**
 * Names for the items of documents that are read together. A name that is taken gets `-2`, `-3` and so on, so that a name never
 * ends in `~` and digits, which revisions do.
 */
export class ItemNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** The name itself if no item of the kind has it. */
  take(kind: string, name: string): string {
    const base = `${kind}:${name}`;
    let free = base;
    let number = this.#next.get(base) ?? 2;
    while (this.#taken.has(free)) free = `${base}-${number++}`;
    this.#next.set(base, number);
    this.#taken.add(free);
    return free.slice(kind.length + 1);
  }

  has(kind: string, name: string): boolean {
    return this.#taken.has(`${kind}:${name}`);
  }
}

/** The words of a heading in lower case, joined by `-`; `fallback` if it has none. */
export function slugOf(title: string, fallback = 'section'): string {
  const words = title
    .slice(0, 4 * longestName)
    .toWellFormed()
    .toLowerCase()
    .replace(noWord, '-');
  const slug = Array.from(words).slice(0, longestName).join('').replace(/^-|-$/g, '');
  return slug === '' ? fallback : slug;
}
