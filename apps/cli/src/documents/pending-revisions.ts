/**
 * Counts the revisions of a document, oldest first, that are imported or older than an imported one. The remaining revisions are
 * pending. `imported`: hashes of the imported texts in import order; texts that were never committed may be among them.
 *
 * If a text occurs twice in the history, it counts as the earlier revision unless a revision between was imported.
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
