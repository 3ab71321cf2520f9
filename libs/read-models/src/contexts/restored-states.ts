import { type Base, type ContextState } from '#shared-context';

/**
 * States at the versions that restores in a tail go back to, each stored when the read reaches its version. A read is
 * therefore one pass through the tail, even if restores build on each other.
 */
export class RestoredStates {
  /** The initial value, before the tail was searched for restores: most tails have none. */
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

  /** Whether the tail after `after` must be searched for restores before the read can continue. */
  lacks(base: Base, after: number): boolean {
    return this.states === undefined && isInTail(base, after);
  }
}

/** At or after `after`. */
export function isInTail({ forked, version }: Base, after: number): boolean {
  return !forked && version >= after;
}
