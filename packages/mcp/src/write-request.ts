/** What the server answers to a write. */
export type WriteAnswer = Readonly<{
  contextId: string;
  version: number;
  events: readonly object[];
}>;

/** Precondition and citation of a write, as the client of the SDK takes them. */
export function requestOf(
  {
    expectedVersion,
    basedOn,
  }: Readonly<{ expectedVersion?: number | undefined; basedOn?: string | undefined }>,
  signal: AbortSignal,
) {
  return { expectedVersion, basedOn, signal };
}
