import { type TableDigest } from '#invariants';
import { createHash, type Hash } from 'node:crypto';

import { type RowLines, digestOf, readModelTableNames } from '#read-models';

type DigestState = { rows: number; readonly actual: Hash; readonly folded: Hash };

/** SHA-256 over whole tables, computed context by context, so that no table must fit into memory. */
export class TableDigests {
  readonly #tables = new Map<(typeof readModelTableNames)[number], DigestState>(
    readModelTableNames.map((table) => [
      table,
      { rows: 0, actual: createHash('sha256'), folded: createHash('sha256') },
    ]),
  );

  add(actual: RowLines, folded: RowLines): void {
    for (const [table, running] of this.#tables) {
      running.rows += actual[table].length;
      running.actual.update(digestOf(actual[table]));
      running.folded.update(digestOf(folded[table]));
    }
  }

  /** Returns the digests; may be called only once. */
  finish(): TableDigest[] {
    return [...this.#tables].map(([table, { rows, actual, folded }]) => ({
      table,
      rows,
      actual: actual.digest('hex'),
      folded: folded.digest('hex'),
    }));
  }
}
