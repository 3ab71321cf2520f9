import { type Base, type ContextState } from '#shared-context';

/**
 * States at the versions that restores in a tail go back to, each remembered when a read has come there: so a read is one
 * pass through the tail however many restores in it stand on each other.
 */
export class RestoredStates {
  /** Before anybody has looked for restores: most tails have none. */
  static readonly unknown = new RestoredStates(undefined);

  static of(versions: Iterable<number>): RestoredStates {
    return new RestoredStates(new Map(Array.from(versions, (version) => [version, undefined])));
  }

  private constructor(private readonly states: Map<number, ContextState | undefined> | undefined) {}

  reached(version: number, state: ContextState): void {
    if (this.states?.has(version)) this.states.set(version, state);
  }

  at({ forked, version }: Base): ContextState | undefined {
    return forked ? undefined : this.states?.get(version);
  }

  /** Whether somebody has to look for restores before the read goes on behind `after`. */
  lacks(base: Base, after: number): boolean {
    return this.states === undefined && isInTail(base, after);
  }
}

/** Behind `after`, or there. */
export function isInTail({ forked, version }: Base, after: number): boolean {
  return !forked && version >= after;
}
