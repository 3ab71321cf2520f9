import { type Position as ClientPosition, type ReadPosition, END } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

import { type Namespace } from './namespace.js';
import { asPosition, comparePositions } from './position.js';

/** Where an event lies, whosever it is. */
export type Place = Readonly<{ stream: string; position: ClientPosition }>;

/** Reads backwards from a position, not including it. */
type ReadBack = (from: ReadPosition, maxCount: number) => Promise<readonly Place[]>;

const firstLook = 10;
const furtherLooks = 1_000;

/**
 * The newest event of ours, among those of the server and of other applications: these are passed over once, and not
 * again at the next look.
 */
export class LogHead {
  #head: Position | 'start' = 'start';
  /** Everything up to here has been looked at. */
  #lookedTo: Position | 'start' = 'start';

  constructor(private readonly names: Namespace) {}

  async find(readBack: ReadBack): Promise<Position | 'start'> {
    let known = { head: this.#head, lookedTo: this.#lookedTo };
    let newest: Position | undefined;
    for await (const { stream, position: at } of placesBack(readBack)) {
      const position = asPosition(at);
      newest ??= position;
      const place = comparePositions(position, known.lookedTo);
      if (place === 0) return this.#note(known.head, newest);
      if (place < 0) known = this.#forget();
      if (this.names.fromServer(stream) !== undefined) return this.#note(position, newest);
    }
    this.#forget();
    return this.#note('start', newest);
  }

  /** What was looked at is no longer there: the log was brought back from a backup, scavenged, or is another one. */
  #forget() {
    this.#head = 'start';
    this.#lookedTo = 'start';
    return { head: this.#head, lookedTo: this.#lookedTo } as const;
  }

  /** Looks may overtake one another; what is known only grows. */
  #note(head: Position | 'start', newest: Position | undefined): Position | 'start' {
    if (comparePositions(head, this.#head) > 0) this.#head = head;
    if (newest && comparePositions(newest, this.#lookedTo) > 0) this.#lookedTo = newest;
    return head;
  }
}

/** Every event of the server, newest first. */
async function* placesBack(readBack: ReadBack): AsyncGenerator<Place> {
  let from: ReadPosition | undefined = END;
  for (let maxCount = firstLook; from; maxCount = furtherLooks) {
    const page: readonly Place[] = await readBack(from, maxCount);
    yield* page;
    from = page.length < maxCount ? undefined : page.at(-1)?.position;
  }
}
