import { type Entry, wholeText } from '../entries/entry.js';

const sizes = new WeakMap<Entry, number>();

/** Estimated tokens of an entry whole: a quarter of its characters. */
export function sizeOf(entry: Entry): number {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const made = Math.ceil(wholeText(entry).length / 4);
  sizes.set(entry, made);
  return made;
}
