import { createHash } from 'node:crypto';

import { type Block, blockTexts } from '#context-views';

/** Must be raised whenever the tally of the same entries changes. */
const tallyVersion = 2;

/** Identifies the stored tally of a block by everything that the tally depends on. */
export function hashOfBlock(block: Block): string {
  const hash = createHash('sha256').update(`${tallyVersion} `);
  for (const text of blockTexts(block)) hash.update(text);
  return hash.digest('hex');
}
