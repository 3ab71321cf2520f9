/**
 * How many of the revisions of a document, oldest first, are imported already or are older than one that is: those behind them are
 * to be imported. `imported` has the hashes of what was imported, in that order, and may hold texts that were never committed.
 *
 * A text that came back later in the history is taken for the earlier revision as long as nothing between was imported.
 */
export function countKnownRevisions(
  revisions: readonly string[],
  imported: readonly string[],
): number {
  let known = 0;
  for (const hash of imported) {
    const at = revisions.indexOf(hash, known);
    if (at !== -1) known = at + 1;
  }
  return known;
}
