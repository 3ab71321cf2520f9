/** Between the parts of an approval's id; neither context ids nor step ids have it. */
const separator = '~';

/**
 * The id by which clients name an approval: that of its context, then its own. Events hold the latter alone, so that the copy of a
 * run in another context never names an approval of the original.
 */
export function publicApprovalId(contextId: string, approvalId: string): string {
  return `${contextId}${separator}${approvalId}`;
}

/** What the public id of an approval says; undefined if it is none. */
export function approvalPlaceIn(
  publicId: string,
): Readonly<{ contextId: string; runId: string; approvalId: string }> | undefined {
  const [contextId, ...rest] = publicId.split(separator);
  const [runId] = rest;
  if (contextId === undefined || !runId) return undefined;
  return { contextId, runId, approvalId: rest.join(separator) };
}
