import { type Kysely } from 'kysely';

import { type TalliedBlock, type Tokenizer } from '#context-views';
import { type Database } from '#database';
import { storeGroupTallies, storeTextCounts } from '#read-models';
import { type ContextId } from '#shared-context';

import { hashOfBlock } from './block-hash.js';

/** How many tallies, of some thousand characters each, are written at once. */
const maxWritten = 256;
/** While the database is slow, at most so many rows wait to be written. Further rows are dropped: other processes make them again. */
const maxWaiting = 4_096;
/** How many counts one statement reads or writes. */
export const maxCounts = 4_096;

/** How many units a text takes. `hash`: SHA-256 of the text in hexadecimal digits. */
export type Counted = Readonly<{ tokenizer: Tokenizer; hash: string; units: number }>;

/** Writes rows of the projection `context-summary` one batch after the other, without anybody waiting for them. */
export class RowWriter {
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isStopping = false;

  /** `failed`: called if rows could not be written; whoever needs them makes them again. */
  constructor(
    private readonly db: Kysely<Database>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Resolves once everything that was added so far is written or has failed. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /** Drops the batches that have not begun when `patience` resolves. */
  async stop(patience: Promise<unknown>): Promise<void> {
    await Promise.race([this.#writing, patience]);
    this.#isStopping = true;
    await this.#writing;
  }

  add(id: ContextId, blocks: readonly TalliedBlock[], counted: readonly Counted[]): void {
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
    counted: readonly Counted[],
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
