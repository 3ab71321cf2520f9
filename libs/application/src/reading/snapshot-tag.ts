/** A version or an RFC 3339 time with offset, as the caller sent it; undefined for now. */
export type AsOf = string | undefined;

/**
 * Identifies the result of a read. `tag` distinguishes copies for different audiences; null for the audience that sees
 * everything.
 */
export type SnapshotTag = Readonly<{ version: number; tag: string | null }>;

/** Notes for the reader that are not part of the text, and not covered by its receipt. */
export type Notes = Readonly<{ notes: readonly string[] }>;
