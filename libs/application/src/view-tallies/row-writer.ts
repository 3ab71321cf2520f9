import { type Kysely } from 'kysely';

import { type TalliedBlock, type Tokenizer } from '#context-views';
import { type Database } from '#database';
import { storeGroupTallies, storeTextCounts } from '#read-models';
import { type ContextId } from '#shared-context';

import { hashOfBlock } from './block-hash.js';

/** The number of tallies, of thousands of characters each, that one statement writes. */
const maxWritten = 256;
/**
 * The maximum number of rows that wait to be written while the database is slow. Further rows are dropped: other
 * processes compute them again.
 */
const maxWaiting = 4_096;
/** The number of counts that one statement reads or writes. */
export const maxCounts = 4_096;

/** The number of units of a text. `hash`: SHA-256 of the text in hexadecimal digits. */
export type TextCount = Readonly<{ tokenizer: Tokenizer; hash: string; units: number }>;

/** Writes rows of the projection `context-summary` in the background, one batch after the other. */
export class RowWriter {
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isStopping = false;

  /** `failed`: called if rows could not be written; they are computed again when they are needed. */
  constructor(
    private readonly db: Kysely<Database>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Resolves once all rows added so far are written or have failed. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /** Drops the batches that have not begun when `patience` resolves. */
  async stop(patience: Promise<unknown>): Promise<void> {
    await Promise.race([this.#writing, patience]);
    this.#isStopping = true;
    await this.#writing;
  }

  add(id: ContextId, blocks: readonly TalliedBlock[], counted: readonly TextCount[]): void {
    const rows = blocks.length + counted.length;
    if (rows === 0 || (this.#waiting > 0 && this.#waiting + rows > maxWaiting)) return;
    this.#waiting += rows;
    this.#writing = this.#writing.then(async () => {
      if (!this.#isStopping) await this.#write(id, blocks, counted);
      this.#waiting -= rows;
    });
  }

  async #write(
    id: ContextId,
    blocks: readonly TalliedBlock[],
    counted: readonly TextCount[],
  ): Promise<void> {
    try {
      for (let at = 0; at < blocks.length; at += maxWritten)
        await storeGroupTallies(this.db, id, blocks.slice(at, at + maxWritten).map(storedTally));
      for (const [tokenizer, counts] of Map.groupBy(counted, (each) => each.tokenizer.name)) {
        if (tokenizer === 'chars4') continue;
        const stored = counts.map(({ hash, units }) => ({ hash, units }));
        for (let at = 0; at < stored.length; at += maxCounts) {
          const counted = { workspace: id.workspace, tokenizer };
          await storeTextCounts(this.db, counted, stored.slice(at, at + maxCounts));
        }
      }
    } catch (error) {
      this.failed(error);
    }
  }
}

function storedTally({ tally, covers, ...block }: TalliedBlock) {
  return { hash: hashOfBlock(block), covers, tally: JSON.stringify(tally) };
}
