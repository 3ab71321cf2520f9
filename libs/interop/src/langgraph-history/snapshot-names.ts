import { UniqueNames } from '../text/unique-names.js';
import { type StateSnapshot } from './state-snapshot.js';

const longestNames = 180;

/** Names steps by the number of the snapshot and the nodes that led to it. Names are unique. */
export class SnapshotNames {
  readonly #names = new UniqueNames();

  /** Must be called in the order of time, so that a longer history of the thread gives the same names. */
  nameOf({ step }: StateSnapshot, nodes: readonly string[]): string {
    const number = (step ?? -1) < 0 ? String(step ?? 'unknown') : String(step).padStart(3, '0');
    return this.#names.take(
      nodes.length === 0 ? `step:${number}` : `step:${number}:${usable(nodes.join('+'))}`,
    );
  }
}

/** The nodes that led to a state: the nodes that wrote, or the next nodes of the previous state. */
export function nodesBefore(
  { writes, source }: StateSnapshot,
  parent: StateSnapshot | undefined,
): readonly string[] {
  const writers = Object.keys(writes).filter((node) => node !== '__start__');
  if (writers.length > 0) return writers;
  if (source === 'loop' || source === undefined)
    return parent?.next.filter((node) => node !== '__start__') ?? [];
  return [source];
}

/** Identifiers contain neither control characters nor lone surrogates, and `~2` at the end is a revision. */
function usable(names: string): string {
  const readable = names.replace(/[\p{Cc}~]/gu, '-').toWellFormed();
  return Array.from(readable.slice(0, longestNames + 1))
    .slice(0, longestNames)
    .join('')
    .toWellFormed();
}
