/** Separates the parts of an approval's id; neither context ids nor step ids contain it. */
const separator = '~';

/**
 * The public id of an approval: the id of its context, then its own. Events contain only its own id, so that a copy of
 * a run in another context never names an approval of the original.
 */
export function publicApprovalId(contextId: string, approvalId: string): string {
  return `${contextId}${separator}${approvalId}`;
}

/** The parts of a public id of an approval; undefined if the text is not one. */
export function approvalPlaceIn(
  publicId: string,
): Readonly<{ contextId: string; runId: string; approvalId: string }> | undefined {
  const [contextId, ...rest] = publicId.split(separator);
  const [runId] = rest;
  if (contextId === undefined || !runId) return undefined;
  return { contextId, runId, approvalId: rest.join(separator) };
}
