/** The answer of the server to a write. */
export type WriteAnswer = Readonly<{
  contextId: string;
  version: number;
  events: readonly object[];
}>;

/** Returns the precondition and the citation of a write as options of the SDK. */
export function requestOf(
  {
    expectedVersion,
    basedOn,
  }: Readonly<{ expectedVersion?: number | undefined; basedOn?: string | undefined }>,
  signal: AbortSignal,
) {
  return { expectedVersion, basedOn, signal };
}
