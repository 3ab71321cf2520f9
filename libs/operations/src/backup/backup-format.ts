import { z } from 'zod';

/** The backup cannot be restored; the message has the reason. Nothing was written. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

export const formatName = 'throughline-backup';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** The first line of a backup. */
export const headerLine = z.strictObject({
  format: z.literal(formatName),
  formatVersion: z.literal(1),
  createdAt: z.iso.datetime(),
  storeIdentity: z.uuid(),
  /** The migrations of the database, oldest first. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: sha256 })).min(1),
});

/** The line before the rows of a table; `type` is the name of the PostgreSQL type. */
export const tableLine = z.strictObject({
  table: identifier,
  columns: z
    .array(z.strictObject({ name: identifier, type: z.string().regex(/^[a-z ]+$/) }))
    .min(1),
});

/** A row, with every column as text. */
export const rowLine = z.array(z.string().nullable());

/** The line after the rows of a table. */
export const endLine = z.strictObject({ end: identifier, rows: z.int() });

/** The last line; `sha256` is the hash of all bytes before it. */
export const closingLine = z.strictObject({
  complete: z.literal(true),
  rows: z.int(),
  sha256,
});

export type BackupHeader = z.output<typeof headerLine>;
export type BackupTable = z.output<typeof tableLine>;
export type BackupRow = z.output<typeof rowLine>;

/** The total number of rows, and the number per table. */
export type BackupCounts = Readonly<{ rows: number; tables: Readonly<Record<string, number>> }>;
