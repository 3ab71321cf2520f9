/** A version, an RFC 3339 time with offset, or absent for now; as the caller sent it. */
export type AsOf = string | undefined;

/** Identifies what a read returned. `tag` distinguishes copies for different audiences; null for the one that sees everything. */
export type SnapshotTag = Readonly<{ version: number; tag: string | null }>;

/** Notes for the reader that are not part of the text, and not covered by its receipt. */
export type Notes = Readonly<{ notes: readonly string[] }>;
